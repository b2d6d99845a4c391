// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"errors"
	"sync"
	"time"
)

// Watcher is told what becomes of the parts of a roster. It is called by the goroutine that owns the bus.
type Watcher interface {
	// Measured tells of a new measurement, and when its transfer ended.
	Measured(s *Slot, at time.Time)
	// Came and Gone tell that a part is there now, and not any more; err is why its topics were not withdrawn.
	Came(s Status)
	Gone(s Status, err error)
	// NotOffered tells that the topics of a part that is there could not be offered.
	NotOffered(s Status, at time.Time, err error)
}

// Roster is the schedule of the parts on one bus. It belongs to the goroutine that owns the bus, except for statuses.
//
// Parts are polled right after the control cycle, each in the cycle that is nearest to its time. Those that are being
// brought up, or are to be read more often than there are cycles, are polled in between, too: when the poll is expected
// to be done before the next cycle, and of several that are due the one due first. What a part takes longer than it
// should comes out of its own time, see slot.
type Roster struct {
	clock   func() time.Time
	watcher Watcher
	slots   []*Slot

	mu     sync.Mutex
	posted []Status
}

// NewRoster makes an empty one.
func NewRoster(clock func() time.Time, w Watcher) *Roster { return &Roster{clock: clock, watcher: w} }

// Slots are the parts in their order.
func (ro *Roster) Slots() []*Slot { return ro.slots }

// Add puts a part at the end.
func (ro *Roster) Add(s *Slot) {
	ro.slots = append(ro.slots, s)
	ro.mu.Lock()
	defer ro.mu.Unlock()
	ro.posted = append(ro.posted, s.status)
}

// Due gives the time at which a part is due that can't wait for a control cycle, limit if none is before.
func (ro *Roster) Due(now, limit time.Time, cycle time.Duration) time.Time {
	at := limit
	for _, s := range ro.slots {
		if s.alone(cycle) {
			at = earlier(at, s.due(now, limit))
		}
	}
	return at
}

// first gives the part that is to be polled between two control cycles, nil if none is. Of those that are due it is the
// one that has waited longest.
func (ro *Roster) first(now, limit time.Time, cycle time.Duration) (first *Slot) {
	for _, s := range ro.slots {
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
func (ro *Roster) PollAll(now time.Time, cycle time.Duration) (polled bool) {
	for _, s := range ro.slots {
		if s.joins(now, cycle) {
			ro.poll(s)
			polled = true
		}
	}
	return polled
}

// PollFirst polls one part that is due between two control cycles, and reports whether one was. A cycle longer than any
// period has parts polled, too, that usually wait for the cycle.
func (ro *Roster) PollFirst(now, limit time.Time, cycle time.Duration) bool {
	s := ro.first(now, limit, cycle)
	if s == nil {
		return false
	}
	ro.poll(s)
	return true
}

// poll polls a part, and keeps that it has measured.
func (ro *Roster) poll(s *Slot) {
	news := s.poll(ro.clock)
	now := ro.clock()
	s.updateTopics(now, ro.watcher)
	if news {
		s.news = true
		ro.watcher.Measured(s, now)
	}
	ro.post(s)
}

// post shows a part's status to others.
func (ro *Roster) post(s *Slot) {
	ro.mu.Lock()
	defer ro.mu.Unlock()
	for i, other := range ro.slots {
		if other == s {
			ro.posted[i] = s.status
		}
	}
}

// Statuses appends a snapshot of every part.
func (ro *Roster) Statuses(to []Status) []Status {
	ro.mu.Lock()
	defer ro.mu.Unlock()
	return append(to, ro.posted...)
}

// Halt switches every part off, as far as it can be reached; the time that takes is bounded by the budget of a poll.
func (ro *Roster) Halt() error {
	var errs []error
	for _, s := range ro.slots {
		if s.guard != nil {
			s.guard.begin(true)
		}
		errs = append(errs, s.part.Halt())
	}
	return errors.Join(errs...)
}
