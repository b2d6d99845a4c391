// SPDX-License-Identifier: Apache-2.0

package order

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// Advance advances logical time to a time and runs all callbacks up to and including it in all processes. The first
// call waits until all members have joined and their endpoints are matched. The error is [ErrClosed], [ErrLost] or
// [ErrDiverged].
func (l *Leader) Advance(to time.Time) error {
	l.advancing.Lock()
	defer l.advancing.Unlock()
	if err := l.barrier(); err != nil {
		return err
	}
	until := to.Sub(l.c.beginning())
	for {
		if err := l.between(until); err != nil {
			return err
		}
		s, err := l.nextStep(until)
		if err != nil || s == nil {
			return err
		}
		if err := l.stepAll(s); err != nil {
			return err
		}
	}
}

// step is the work of one tag. Its lists are by participant; the leader's process is the last.
type step struct {
	at         Tag
	deliveries [][]wire.Delivery
	posts      [][]wire.Post // other callbacks caused from outside that may run in a replay
	hold       bool          // in a replay
	turn       []int         // participants with work, in order: the leader's process first
}

// barrier waits until all members have joined.
func (l *Leader) barrier() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := !l.begun
	if first {
		defer l.c.takeResults() // messages sent before were not received by all
	}
	for !l.begun {
		if l.err != nil {
			return l.err
		}
		if l.begun = l.unmatchedLocked() == ""; !l.begun {
			l.changed.Wait()
		}
	}
	for _, p := range l.members {
		if first {
			l.lineLocked(p, lineJoined)
		}
	}
	return nil
}

// nextStep returns the next step up to a time; nil if there is none.
func (l *Leader) nextStep(until time.Duration) (*step, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return nil, l.err
	}
	l.doing = false
	l.collectLocked()
	at := l.dueLocked()
	s := &step{posts: make([][]wire.Post, len(l.members)+1), hold: l.script.runs()}
	if s.hold {
		var err error
		if at, err = l.script.place(at, l.now, until); err != nil {
			return nil, err
		}
	}
	if at == nil || at.Time > until {
		if until > l.now.Time {
			l.now = Tag{Time: until}
		}
		l.c.advanceTo(l.now)
		return nil, nil
	}
	if s.hold {
		if err := l.outsideAtLocked(*at, s.posts); err != nil {
			return nil, err
		}
	}
	l.now, s.at = *at, *at
	own := len(l.members)
	next := l.nextLocked()
	for k := range own + 1 {
		i := (k + own) % (own + 1)
		if i < own && s.hold && l.script.departs(l.members[i].name, *at) {
			l.dismissLocked(l.members[i])
		} else if next[i] != nil && next[i].compare(*at) <= 0 || len(s.posts[i]) > 0 {
			s.turn = append(s.turn, i)
		}
	}
	s.deliveries = l.deliveriesLocked(*at)
	return s, nil
}

// nextLocked returns the tag of each participant's next work; the leader's process is the last.
func (l *Leader) nextLocked() []*Tag {
	own, hold := len(l.members), l.script.runs()
	next := make([]*Tag, own+1)
	earlier := func(i int, t *Tag) {
		if t != nil && (next[i] == nil || t.compare(*next[i]) < 0) {
			next[i] = t
		}
	}
	local, came := l.c.nextTags()
	earlier(own, local)
	if !hold {
		earlier(own, came)
	}
	for i, p := range l.members {
		if p.present() {
			earlier(i, tagOrNil(p.next))
			if !hold {
				earlier(i, tagOrNil(p.came))
			}
		}
	}
	for _, m := range l.mail {
		earlier((m.to+own+1)%(own+1), &m.tag)
	}
	return next
}

// dueLocked returns the next tag; nil if there is none. Late events run now, after everything before.
func (l *Leader) dueLocked() (at *Tag) {
	for _, t := range l.nextLocked() {
		if t != nil && (at == nil || t.compare(*at) < 0) {
			at = t
		}
	}
	if at != nil && at.compare(l.now) <= 0 {
		now := l.now.next()
		at = &now
	}
	return at
}

// deliveriesLocked removes and returns the deliveries of a tag.
func (l *Leader) deliveriesLocked(at Tag) [][]wire.Delivery {
	deliveries := make([][]wire.Delivery, len(l.members)+1)
	l.mail = slices.DeleteFunc(l.mail, func(m mail) bool {
		if m.tag.compare(at) > 0 {
			return false
		}
		i := (m.to + len(deliveries)) % len(deliveries)
		deliveries[i] = append(deliveries[i], m.Delivery)
		return true
	})
	return deliveries
}

// collectLocked posts messages sent by the leader's process outside of callbacks, and messages from outside.
func (l *Leader) collectLocked() {
	_, sends := l.c.takeResults()
	l.postLocked(-1, sends)
	if l.script.runs() {
		return // already posted
	}
	l.outsideLocked(-1, l.c.inbox.waiting())
	for i, p := range l.members {
		if p.present() {
			l.outsideLocked(i, p.held)
		}
	}
}

// outsideLocked schedules messages from outside the application.
func (l *Leader) outsideLocked(to int, held []wire.Arrival) {
	for _, a := range held {
		n := a.Count
		for _, m := range l.mail {
			if m.to == to && m.Endpoint == a.Endpoint && m.Sum == a.Sum {
				n--
			}
		}
		for range n {
			l.mailLocked(to, wire.Delivery{Endpoint: a.Endpoint, Sum: a.Sum, Outside: true})
		}
	}
}

// mailLocked schedules a delivery at the next microstep.
func (l *Leader) mailLocked(to int, d wire.Delivery) int64 {
	l.number++
	d.Number = l.number
	l.mail = append(l.mail, mail{tag: l.now.next(), to: to, Delivery: d})
	return d.Number
}

// stepAll runs a tag: one process after another, or all in parallel.
func (l *Leader) stepAll(s *step) error {
	own := len(l.members)
	if len(s.turn) == 0 || s.turn[0] != own {
		l.c.advanceTo(s.at)
	}
	for _, i := range s.turn {
		if l.c.cfg.Parallel && i < own { // the leader's process runs meanwhile
			l.grant(i, s)
		}
	}
	for _, i := range s.turn {
		if i == own {
			if err := l.c.step(s.at, s.deliveries[own], s.hold, s.posts[own]); err != nil {
				return l.reason(err)
			}
		} else if !l.c.cfg.Parallel {
			l.grant(i, s)
		}
		if err := l.finish(i); err != nil {
			return err
		}
	}
	return nil
}

// reason returns what ended the run while the leader's process waited for a message, or err.
func (l *Leader) reason(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	return err
}

// grant sends a member the grant to run its due callbacks.
func (l *Leader) grant(i int, s *step) {
	l.mu.Lock()
	p := l.members[i]
	if !p.present() {
		l.mu.Unlock()
		return
	}
	p.number++
	p.since = time.Now()
	tag := wireTag(s.at)
	p.doing = &wire.Message{
		Kind: wire.Grant, Member: p.name, Session: p.session, Number: p.number, At: &tag, Deliveries: s.deliveries[i],
		Hold: s.hold, Admit: s.posts[i],
	}
	m := *p.doing
	l.mu.Unlock()
	l.send(&m)
}

// finish waits until a participant has run its callbacks, and posts the messages that it has sent.
func (l *Leader) finish(i int) error {
	if i == len(l.members) {
		_, sends := l.c.takeResults()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.postLocked(-1, sends)
		return l.script.left()
	}
	p := l.members[i]
	l.mu.Lock()
	for p.doing != nil && l.err == nil {
		l.changed.Wait()
	}
	answer, err := p.answer, l.err
	p.answer = nil
	if answer != nil {
		l.postLocked(i, answer.Sends)
	}
	if err == nil && answer == nil {
		err = l.departedLocked(p)
	}
	l.mu.Unlock()
	if err != nil {
		return err
	}
	if answer != nil {
		for k := range answer.Runs {
			l.c.cfg.Record(runOf(&answer.Runs[k], p.name))
		}
	}
	return l.script.left()
}
