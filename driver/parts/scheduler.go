// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"errors"
	"sync"
	"time"
)

// Watcher is notified of changes of a scheduler's parts. It is called by the goroutine that owns the bus.
type Watcher interface {
	// Measured is called for a new measurement; at is the end of its transfer.
	Measured(s *Slot, at time.Time)
	// Came and Gone are called when a part was found and lost; err is why its topics were not withdrawn.
	Came(s Status)
	Gone(s Status, err error)
	// NotOffered is called when the topics of a part that is present could not be offered.
	NotOffered(s Status, at time.Time, err error)
}

// Scheduler schedules the polls of the parts on one bus. It belongs to the goroutine that owns the bus, except
// Statuses.
//
// Parts are polled right after the control cycle, each in the cycle nearest to its time. Parts that are starting, or
// have a period shorter than the cycle, are also polled in between: when the poll is expected to end before the next
// cycle, and of several due parts the one due first. A part that takes too long is then polled less often, see Slot.
type Scheduler struct {
	clock   func() time.Time
	watcher Watcher
	slots   []*Slot

	mu     sync.Mutex
	posted []Status
}

// NewScheduler makes an empty one.
func NewScheduler(clock func() time.Time, w Watcher) *Scheduler {
	return &Scheduler{clock: clock, watcher: w}
}

// Slots are the parts in their order.
func (sc *Scheduler) Slots() []*Slot { return sc.slots }

// Add puts a part at the end.
func (sc *Scheduler) Add(s *Slot) {
	sc.slots = append(sc.slots, s)
	sc.mu.Lock()
	defer sc.mu.Unlock()
	sc.posted = append(sc.posted, s.status)
}

// Due returns the time at which a part is due that can't wait for a control cycle, limit if none is before.
func (sc *Scheduler) Due(now, limit time.Time, cycle time.Duration) time.Time {
	at := limit
	for _, s := range sc.slots {
		if s.alone(cycle) {
			at = earlier(at, s.due(now, limit))
		}
	}
	return at
}

// first returns the part that is to be polled between two control cycles, nil if none is. Of those that are due it is
// the one that has waited longest.
func (sc *Scheduler) first(now, limit time.Time, cycle time.Duration) (first *Slot) {
	for _, s := range sc.slots {
		if !s.alone(cycle) || s.due(now, limit).After(now) {
			continue
		}
		if first == nil || s.since().Before(first.since()) {
			first = s
		}
	}
	return first
}

// PollAll polls the parts that are due with the control cycle at now, and reports whether one was. cycle is the time
// from one control cycle to the next.
func (sc *Scheduler) PollAll(now time.Time, cycle time.Duration) (polled bool) {
	for _, s := range sc.slots {
		if s.joins(now, cycle) {
			sc.poll(s)
			polled = true
		}
	}
	return polled
}

// PollFirst polls one part that is due between two control cycles, and reports whether one was. A cycle longer than any
// period has parts polled, too, that usually wait for the cycle.
func (sc *Scheduler) PollFirst(now, limit time.Time, cycle time.Duration) bool {
	s := sc.first(now, limit, cycle)
	if s == nil {
		return false
	}
	sc.poll(s)
	return true
}

// poll polls a part, and keeps that it has measured.
func (sc *Scheduler) poll(s *Slot) {
	news := s.poll(sc.clock)
	now := sc.clock()
	s.updateTopics(now, sc.watcher)
	if news {
		s.news = true
		sc.watcher.Measured(s, now)
	}
	sc.post(s)
}

// post shows a part's status to others.
func (sc *Scheduler) post(s *Slot) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	for i, other := range sc.slots {
		if other == s {
			sc.posted[i] = s.status
		}
	}
}

// Statuses appends a snapshot of every part.
func (sc *Scheduler) Statuses(to []Status) []Status {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return append(to, sc.posted...)
}

// Halt switches every part off, as far as it can be reached; the time that takes is bounded by the budget of a poll.
func (sc *Scheduler) Halt() error {
	var errs []error
	for _, s := range sc.slots {
		if s.guard != nil {
			s.guard.begin(true)
		}
		errs = append(errs, s.part.Halt())
	}
	return errors.Join(errs...)
}
