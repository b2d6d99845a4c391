// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"errors"
	"slices"
	"sync"
	"time"
)

// Watcher is notified of changes of a scheduler's parts. It is called by the goroutine that owns the bus.
type Watcher interface {
	// Measured is called for a new measurement; at is the end of its transfer.
	Measured(s *Slot, at time.Time)
	// Found and Lost are called when a part was found and lost; err is the reason why its topics were not removed.
	Found(s Status)
	Lost(s Status, err error)
	// NotOffered is called when the topics of a present part could not be created.
	NotOffered(s Status, at time.Time, err error)
}

// Scheduler schedules the polls of the parts on one bus. It belongs to the goroutine that owns the bus, except
// Statuses.
//
// Parts are polled right after the control cycle, each in the cycle nearest to its time. Parts that are starting, or
// have a period shorter than the cycle, are also polled in between if the poll is expected to end before the next
// cycle; of several due parts, the one due first. A part that takes too long is then polled less often, see [Slot].
type Scheduler struct {
	clock   func() time.Time
	watcher Watcher
	slots   []*Slot
	calm    calm
	news    bool // a part has an unpublished measurement, unless News was called since
	// alone is whether a part can't wait for a control cycle, for cycles of aloneCycle; 0: not known.
	alone      bool
	aloneCycle time.Duration

	mu     sync.Mutex
	posted []Status
}

// calm is a time in which no part is due with a control cycle, unless what it depends on changes.
type calm struct {
	since, until time.Time
	cycle        time.Duration
}

// NewScheduler returns a schedule without parts.
func NewScheduler(clock func() time.Time, w Watcher) *Scheduler {
	return &Scheduler{clock: clock, watcher: w}
}

// Slots returns the parts in their order.
func (sc *Scheduler) Slots() []*Slot { return sc.slots }

// Add appends a part.
func (sc *Scheduler) Add(s *Slot) {
	sc.slots = append(sc.slots, s)
	sc.aloneCycle = 0
	sc.Replan()
	sc.mu.Lock()
	defer sc.mu.Unlock()
	sc.posted = append(sc.posted, s.status)
}

// OfferPresent creates the topics of the parts that are present before their first poll.
func (sc *Scheduler) OfferPresent(now time.Time) {
	for _, s := range sc.slots {
		s.updateTopics(now, sc.watcher)
		sc.post(s)
	}
}

// Replan makes the next PollAll ask all parts whether they are due. It is called when something that their plans depend
// on may have changed, other than by a poll: whether they are wanted, or what their devices are to do.
func (sc *Scheduler) Replan() { sc.calm = calm{} }

// News reports, once, whether a part has a new measurement.
func (sc *Scheduler) News() (news bool) {
	news, sc.news = sc.news, false
	return news
}

// anyAlone reports whether a part can't wait for the next control cycle.
func (sc *Scheduler) anyAlone(cycle time.Duration) bool {
	if cycle != sc.aloneCycle {
		sc.aloneCycle = cycle
		sc.alone = slices.ContainsFunc(sc.slots, func(s *Slot) bool { return s.alone(cycle) })
	}
	return sc.alone
}

// Due returns the earliest time before limit at which a part is due that can't wait for a control cycle, else limit.
func (sc *Scheduler) Due(now, limit time.Time, cycle time.Duration) time.Time {
	at := limit
	if !sc.anyAlone(cycle) {
		return at
	}
	for _, s := range sc.slots {
		if s.alone(cycle) {
			at = earlier(at, s.due(now, limit))
		}
	}
	return at
}

// first returns the part to poll between two control cycles, the one due first; nil if none is due.
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
	if c := &sc.calm; cycle == c.cycle && now.Before(c.until) && !now.Before(c.since) {
		return false
	}
	until := now.Add(time.Hour)
	for _, s := range sc.slots {
		if at := s.joins(now, cycle); at.After(now) {
			until = earlier(until, at)
			continue
		}
		sc.poll(s)
		polled = true
	}
	if !polled { // else the plans may have changed
		sc.calm = calm{since: now, until: until, cycle: cycle}
	}
	return polled
}

// PollFirst polls one part that is due between two control cycles, and reports whether one was. With a cycle longer
// than all periods it also polls parts that usually wait for the cycle.
func (sc *Scheduler) PollFirst(now, limit time.Time, cycle time.Duration) bool {
	s := sc.first(now, limit, cycle)
	if s == nil {
		return false
	}
	sc.poll(s)
	return true
}

// poll polls a part, and records a new measurement.
func (sc *Scheduler) poll(s *Slot) {
	before := s.status.State
	news := s.poll(sc.clock)
	now := sc.clock()
	s.updateTopics(now, sc.watcher)
	sc.Replan()
	if s.status.State != before {
		sc.aloneCycle = 0
	}
	if news {
		s.news, sc.news = true, true
		sc.watcher.Measured(s, now)
	}
	sc.post(s)
}

// post publishes a part's status for Statuses.
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

// Halt switches off every part that can be reached; its duration is bounded by the budget of a poll.
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
