// SPDX-License-Identifier: Apache-2.0

package order

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// Changes of members in the record, as names of callbacks.
const (
	lineJoined      = "joined"
	lineLeft        = "left"
	lineLost        = "lost"
	lineJoinedAgain = "joined again"
)

// membership reports whether a line is a change of a member.
func (r *Run) membership() bool {
	return r.Outside && r.Process != "" && r.Source.Kind == ros2.TimerCallback && r.Source.Node.FullName() == "/"+r.Process &&
		slices.Contains([]string{lineJoined, lineLeft, lineLost, lineJoinedAgain}, r.Source.Name)
}

// calledAt reports whether a line may be caused by a message at an endpoint. That of a callback that waited for a reply
// does not name the client.
func (r *Run) calledAt(e *wire.Endpoint) bool {
	if strings.HasPrefix(r.Source.Name, endOf) {
		return e.Role == wire.Client && e.Node == r.Source.Node.FullName()
	}
	kind := map[wire.Role]ros2.CallbackKind{
		wire.Subscription: ros2.SubscriptionCallback, wire.Service: ros2.ServiceCallback, wire.Client: ros2.ReplyCallback,
	}
	is, known := kind[e.Role]
	return known && is == r.Source.Kind && e.Name == r.Source.Name && e.Node == r.Source.Node.FullName()
}

// script is a record that several processes replay. A nil script is empty.
type script struct {
	mu   sync.Mutex
	all  []Run
	next int
	err  error // the divergence of the run
}

// runs reports whether a part of the record remains to be replayed.
func (s *script) runs() bool { return s != nil && s.want() != nil }

// want returns the next expected run; nil if there is none.
func (s *script) want() *Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == len(s.all) {
		return nil
	}
	return &s.all[s.next]
}

// left returns the divergence of the run, or nil.
func (s *script) left() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// leave records the first divergence of the run.
func (s *script) leave(at Tag, what string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = fmt.Errorf("%w: %s", ErrDiverged, diverges(&Run{Tag: at}, what))
	}
	return s.err
}

// compare compares a run with the next expected one.
func (s *script) compare(r *Run) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil || s.next == len(s.all) {
		return
	}
	want := &s.all[s.next]
	s.next++
	if d := Difference([]Run{*want}, []Run{*r}); d != "" {
		s.err = fmt.Errorf("%w: %s", ErrDiverged, d)
	}
}

// place returns the tag of the next step: that of the next due event (nil: none), or earlier for an event from outside.
func (s *script) place(due *Tag, now Tag, until time.Duration) (*Tag, error) {
	if err := s.left(); err != nil {
		return nil, err
	}
	want := s.want()
	earlier := due == nil || want.Tag.compare(*due) < 0
	switch {
	case want.Tag.Time > until || want.membership():
	case want.Tag.compare(now) <= 0:
		return nil, s.leave(want.Tag, fmt.Sprintf("%s did not run", want.who()))
	case want.Outside && earlier:
		tag := want.Tag
		return &tag, nil
	case earlier && want.Tag.Time < until: // else the program may still send it outside of callbacks
		return nil, s.leave(want.Tag, fmt.Sprintf("%s is not due", want.who()))
	}
	return due, nil
}

// outsideAt returns the runs at a tag that were caused from outside.
func (s *script) outsideAt(at Tag) (all []Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.all[s.next:] {
		if r.Tag != at {
			break
		}
		if r.Outside && !r.membership() {
			all = append(all, r)
		}
	}
	return all
}

// nextOf returns the next line of a process; nil if there is none.
func (s *script) nextOf(process string) *Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.all[s.next:] {
		if r := &s.all[s.next+i]; r.Process == process {
			return r
		}
	}
	return nil
}

// departs reports whether a process ran nothing more at a tag because it left then.
func (s *script) departs(process string, at Tag) bool {
	r := s.nextOf(process)
	return r != nil && r.membership() && r.Tag == at
}

// repeat makes the leader replay a record, if that is not empty.
func (l *Leader) repeat(record []Run) error {
	if len(record) == 0 {
		return nil
	}
	l.script = &script{all: record}
	var then []string
	for i := range record {
		if r := &record[i]; r.membership() && r.Source.Name == lineJoined {
			then = append(then, r.Process)
		} else if r.Process != "" && !slices.Contains(then, r.Process) {
			return fmt.Errorf("%w: %s ran before its process joined", ErrRecord, r.who())
		}
	}
	for _, name := range then {
		if !slices.Contains(l.cfg.Members, name) {
			return l.script.leave(Tag{}, fmt.Sprintf("member %s does not participate", name))
		}
	}
	for _, name := range l.cfg.Members {
		if !slices.Contains(then, name) {
			return l.script.leave(Tag{}, fmt.Sprintf("member %s participates, but did not before", name))
		}
	}
	if !slices.Equal(then, l.cfg.Members) {
		now := strings.Join(l.cfg.Members, ", ")
		return l.script.leave(Tag{}, fmt.Sprintf("the order of members is %s, not %s", now, strings.Join(then, ", ")))
	}
	return nil
}

// validName reports whether a name is valid for a member.
func validName(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}
