// SPDX-License-Identifier: Apache-2.0

package order

import (
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// Advance lets logical time pass up to a time and runs everything up to it in all processes, that time included. The
// first call waits until all members are there and their endpoints are connected. The error is [ErrClosed] or
// [ErrLost].
func (l *Leader) Advance(to time.Time) error {
	l.advancing.Lock()
	defer l.advancing.Unlock()
	if err := l.barrier(); err != nil {
		return err
	}
	until := to.Sub(l.c.beginning())
	defer l.record(nil)
	for {
		at, letters, turn, err := l.nextStep(until)
		if err != nil || turn == nil {
			return err
		}
		if err := l.stepAll(at, letters, turn); err != nil {
			return err
		}
	}
}

// barrier waits until everybody is there.
func (l *Leader) barrier() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.begun {
		defer l.c.reap() // what left before was not heard by all
	}
	for !l.begun {
		if l.err != nil {
			return l.err
		}
		if l.begun = l.unmatchedLocked() == ""; !l.begun {
			l.changed.Wait()
		}
	}
	return nil
}

// nextStep returns the next tag up to a time, what arrives then, by participant (the leader's process is the last),
// and whose turn it is, in their order. The turn is nil if there is nothing to do.
func (l *Leader) nextStep(until time.Duration) (Tag, [][]wire.Delivery, []int, error) {
	local, some := l.c.nextTag()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return Tag{}, nil, nil, l.err
	}
	l.collectLocked()
	own := len(l.members)
	next := make([]*Tag, own+1)
	if some {
		next[own] = &local
	}
	for i, p := range l.members {
		if p.there() && p.next != nil {
			t := tagOf(*p.next)
			next[i] = &t
		}
	}
	for _, m := range l.mail {
		i := (m.to + own + 1) % (own + 1)
		if next[i] == nil || m.tag.Compare(*next[i]) < 0 {
			next[i] = &m.tag
		}
	}
	var at *Tag
	for _, t := range next {
		if t != nil && (at == nil || t.Compare(*at) < 0) {
			at = t
		}
	}
	if at == nil || at.Time > until {
		if until > l.now.Time {
			l.now = Tag{Time: until}
		}
		l.c.pass(l.now)
		return Tag{}, nil, nil, nil
	}
	if at.Compare(l.now) <= 0 { // it comes late: now, behind what has been
		now := l.now.next()
		at = &now
	}
	l.now = *at
	turn := []int{}
	for k := range own + 1 { // the leader's process first
		if i := (k + own) % (own + 1); next[i] != nil && next[i].Compare(*at) <= 0 {
			turn = append(turn, i)
		}
	}
	return *at, l.lettersLocked(*at), turn, nil
}

// lettersLocked takes what arrives at a tag.
func (l *Leader) lettersLocked(at Tag) [][]wire.Delivery {
	letters := make([][]wire.Delivery, len(l.members)+1)
	l.mail = slices.DeleteFunc(l.mail, func(m mail) bool {
		if m.tag.Compare(at) > 0 {
			return false
		}
		i := (m.to + len(letters)) % len(letters)
		letters[i] = append(letters[i], m.Delivery)
		return true
	})
	return letters
}

// collectLocked posts what the leader's process has sent outside its callbacks, and what came from outside.
func (l *Leader) collectLocked() {
	_, sends := l.c.reap()
	l.postLocked(-1, sends)
	l.outsideLocked(-1, l.c.inbox.waiting())
	for i, p := range l.members {
		if p.there() {
			l.outsideLocked(i, p.held)
		}
	}
}

// outsideLocked lets arrive what was sent outside the application.
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

// mailLocked lets something arrive at the next microstep.
func (l *Leader) mailLocked(to int, d wire.Delivery) int64 {
	l.number++
	d.Number = l.number
	l.mail = append(l.mail, mail{tag: l.now.next(), to: to, Delivery: d})
	return d.Number
}

// stepAll runs a tag: one process after the other, or all at once.
func (l *Leader) stepAll(at Tag, letters [][]wire.Delivery, turn []int) error {
	own := len(l.members)
	if turn[0] != own {
		l.c.pass(at)
	}
	if !l.c.cfg.Parallel {
		for _, i := range turn {
			if i < own {
				l.grant(i, at, letters[i])
			} else if err := l.c.step(at, letters[i]); err != nil {
				return err
			}
			if err := l.finish(i); err != nil {
				return err
			}
		}
		return nil
	}
	for _, i := range turn {
		if i < own {
			l.grant(i, at, letters[i])
		}
	}
	if turn[0] == own {
		if err := l.c.step(at, letters[own]); err != nil {
			return err
		}
	}
	for _, i := range turn {
		if err := l.finish(i); err != nil {
			return err
		}
	}
	return nil
}

// grant lets a member run what is due.
func (l *Leader) grant(i int, at Tag, letters []wire.Delivery) {
	l.mu.Lock()
	p := l.members[i]
	if !p.there() {
		l.mu.Unlock()
		return
	}
	p.number++
	tag := wireTag(at)
	p.doing = &wire.Message{Kind: wire.Grant, Member: p.name, Session: p.session, Number: p.number, At: &tag, Deliveries: letters}
	m := *p.doing
	l.mu.Unlock()
	l.say(&m)
}

// finish waits until a participant has run its part, and posts what it has sent.
func (l *Leader) finish(i int) error {
	if i == len(l.members) {
		_, sends := l.c.reap()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.postLocked(-1, sends)
		return nil
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
	l.mu.Unlock()
	if err != nil {
		return err
	}
	if answer != nil {
		l.record(answer.Runs)
	}
	return nil
}

// record writes what a member has run, behind what became of members before.
func (l *Leader) record(runs []wire.Run) {
	l.mu.Lock()
	lines := l.lines
	l.lines = nil
	l.mu.Unlock()
	if l.c.cfg.Record == nil {
		return
	}
	for _, line := range lines {
		l.c.cfg.Record(line)
	}
	for i := range runs {
		l.c.cfg.Record(runOf(&runs[i]))
	}
}

// unmatchedLocked says who is not there yet, or which endpoint is not connected; "" if all is well.
func (l *Leader) unmatchedLocked() string {
	for _, p := range l.members {
		if p.session == "" {
			return fmt.Sprintf("member %s, which is not there", p.name)
		}
	}
	for from := -1; from < len(l.members); from++ {
		for _, e := range l.endpointsLocked(from) {
			need := l.peersLocked(from, &e)
			if e.Role == wire.Client || e.Role == wire.Service {
				need = min(need, 1)
			}
			if e.Matched < need && e.Role != wire.Service {
				return fmt.Sprintf("%s %s of %s, connected with %d of %d", e.Role, e.Name, l.nameOf(from), e.Matched, need)
			}
		}
	}
	return ""
}
