// SPDX-License-Identifier: Apache-2.0

package order

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// between handles joining and leaving members and records it, only between two steps, so that a replay can repeat it.
func (l *Leader) between(until time.Duration) error {
	for {
		l.mu.Lock()
		lines, err := l.changesLocked(until)
		rejections := l.rejections
		l.rejections = nil
		l.mu.Unlock()
		for _, m := range rejections {
			l.send(m)
		}
		for i := range lines {
			l.c.cfg.Record(lines[i])
		}
		if err == nil {
			err = l.script.left()
		}
		if err != nil || len(lines)+len(rejections) == 0 {
			return err
		}
	}
}

// changesLocked returns the changes of members.
func (l *Leader) changesLocked(until time.Duration) ([]Run, error) {
	if l.err != nil {
		return nil, l.err
	}
	if l.script.runs() {
		return l.repeatLocked(until)
	}
	for _, p := range l.members {
		if p.successor != nil {
			l.joinLocked(p)
			l.lineLocked(p, lineJoinedAgain)
		}
	}
	return l.takeLinesLocked(), nil
}

// takeLinesLocked removes and returns the lines to be written now.
func (l *Leader) takeLinesLocked() []Run {
	lines := l.lines
	l.lines = nil
	for i := range lines {
		lines[i].Tag = l.now
	}
	return lines
}

// repeatLocked makes a member join or leave at its position in the record.
func (l *Leader) repeatLocked(until time.Duration) ([]Run, error) {
	if len(l.lines) > 0 && l.lines[0].Source.Name == lineJoined {
		return l.takeLinesLocked(), nil
	}
	l.lines = nil // the record has these lines
	for _, p := range l.members {
		if err := l.departedLocked(p); err != nil {
			return nil, err
		}
	}
	want := l.script.want()
	if want == nil || !want.membership() || want.Tag.Time > until {
		return nil, nil
	}
	l.collectLocked()
	if due := l.dueLocked(); due != nil && due.compare(want.Tag) < 0 {
		return nil, nil
	}
	if l.now.compare(want.Tag) < 0 {
		l.now = want.Tag
		l.c.advanceTo(l.now)
	}
	p := l.memberLocked(want.Process)
	if p.present() {
		l.dismissLocked(p)
		return nil, nil // it is reported before anything else
	}
	if want.Source.Name == lineJoinedAgain {
		come := func() bool { return p.successor != nil }
		if err := l.awaitLocked(come, "no new process with the name joined"); err != nil {
			return nil, err
		}
		l.joinLocked(p)
	}
	return []Run{*want}, nil
}

// dismissLocked dismisses a member that left in the record.
func (l *Leader) dismissLocked(p *peer) {
	if p.present() {
		l.rejections = append(l.rejections, &wire.Message{
			Kind: wire.Refuse, Member: p.name, Session: p.session, Text: "the process ended here in the recorded run",
		})
		l.departLocked(p, "")
	}
	p.became = ""
}

// Do runs a function of the leader's process as a callback, between two calls of [Leader.Advance] and after the first:
// what a simulator does for a node in each step, for example. All calls between two of Advance share the next
// microstep; what they send arrives at the one after it. The function must not wait for a reply and not sleep. The
// error is [ErrClosed] or [ErrDiverged].
func (l *Leader) Do(s ros2.CallbackSource, call func()) error {
	l.advancing.Lock()
	defer l.advancing.Unlock()
	l.mu.Lock()
	if l.err != nil {
		defer l.mu.Unlock()
		return l.err
	}
	if !l.doing {
		l.doing, l.now = true, l.now.next()
		l.c.advanceTo(l.now)
	}
	e := &event{tag: l.now, source: &source{group: l.c.NewGroup(), source: s, number: 1, waiting: 1}, call: call}
	l.mu.Unlock()
	l.c.advancing.Lock()
	defer l.c.advancing.Unlock()
	l.c.deliver(e, l.c.perform(e))
	return l.script.left()
}

// departedLocked returns the error of a member that left earlier than in the record.
func (l *Leader) departedLocked(p *peer) error {
	if !p.gone || p.became == "" || !l.script.runs() {
		return nil
	}
	next := l.script.nextOf(p.name)
	if next == nil || next.membership() {
		return nil
	}
	what := map[string]string{lineLeft: "has left", lineLost: "is lost", lineJoinedAgain: "was started again"}[p.became]
	return l.script.leave(l.now, fmt.Sprintf("member %s %s before %s", p.name, what, next.who()))
}

// awaitLocked waits, up to the limit, for the record's next event from outside.
func (l *Leader) awaitLocked(come func() bool, failure string) error {
	expired := false
	limit := task.AfterFunc(l.c.cfg.Limit, "limit of a replay", func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		expired = true
		l.changed.Broadcast()
	})
	defer limit.Stop()
	for !come() {
		switch {
		case l.err != nil:
			return l.err
		case expired:
			want := l.script.want()
			return l.script.leave(want.Tag, fmt.Sprintf("%s for %s in %v", failure, want.who(), l.c.cfg.Limit))
		}
		l.changed.Wait()
	}
	return nil
}

// outsideAtLocked schedules the messages from outside at a tag of the record, once they have arrived; callbacks not
// caused by a message are added to posts.
func (l *Leader) outsideAtLocked(at Tag, posts [][]wire.Post) error {
	for _, r := range l.script.outsideAt(at) {
		to := -1
		for i, p := range l.members {
			if p.name == r.Process {
				to = i
			}
		}
		if r.Got == 0 {
			i := (to + len(posts)) % len(posts)
			posts[i] = append(posts[i], wire.Post{Node: r.Source.Node.FullName(), Source: r.Source.Kind.String(), Name: r.Source.Name})
			continue
		}
		endpoint := 0
		come := func() bool {
			endpoint = l.arrivalLocked(to, &r)
			return endpoint != 0
		}
		if err := l.awaitLocked(come, "the same message did not arrive"); err != nil {
			return err
		}
		l.number++
		d := wire.Delivery{Number: l.number, Endpoint: endpoint, Sum: wire.Sum(r.Got), Outside: true}
		l.mail = append(l.mail, mail{tag: at, to: to, Delivery: d})
	}
	return nil
}

// arrivalLocked returns the endpoint where the message of a line is waiting; 0: none.
func (l *Leader) arrivalLocked(to int, r *Run) int {
	held := l.c.inbox.waiting()
	if to >= 0 {
		held = l.members[to].held
	}
	for _, e := range l.endpointsLocked(to) {
		if !r.calledAt(&e) {
			continue
		}
		for _, a := range held {
			n := a.Count
			for _, m := range l.mail {
				if m.to == to && m.Endpoint == a.Endpoint && m.Sum == a.Sum {
					n--
				}
			}
			if a.Endpoint == e.ID && a.Sum == wire.Sum(r.Got) && n > 0 {
				return e.ID
			}
		}
	}
	return 0
}
