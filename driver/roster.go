// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"sync"
	"time"
)

// roster is the schedule of the parts on one bus. It belongs to the goroutine that owns the bus, except for statuses.
//
// The control cycle and commands go first: a part is polled when neither is due and it is expected to be done before the
// next cycle. Of several parts that are due the one due first is polled, and of those due at the same time the first in
// the roster. What a part takes longer than it should comes out of its own time, see slot.
type roster struct {
	slots   []*slot
	reading *reading // of all parts

	mu     sync.Mutex
	posted []PartStatus
}

// add puts a part at the end.
func (ro *roster) add(s *slot) {
	s.reading = ro.reading
	ro.slots = append(ro.slots, s)
	ro.mu.Lock()
	defer ro.mu.Unlock()
	ro.posted = append(ro.posted, s.status)
}

// due gives the time at which a part is due, limit if none is before.
func (ro *roster) due(now, limit time.Time) time.Time {
	at := limit
	for _, s := range ro.slots {
		at = earlier(at, s.due(now, limit))
	}
	return at
}

// first gives the part that is to be polled now, nil if none is. Of those that are due it is the one that has waited longest.
func (ro *roster) first(now, limit time.Time) (first *slot) {
	for _, s := range ro.slots {
		if s.due(now, limit).After(now) {
			continue
		}
		if first == nil || s.since().Before(first.since()) {
			first = s
		}
	}
	return first
}

// servePart polls one part if one is due at now, and publishes what it measured. It reports whether it did.
func (d *Driver) servePart(ro *roster, now, limit time.Time) bool {
	s := ro.first(now, limit)
	if s == nil {
		return false
	}
	news := s.poll(d.clock.Now)
	now = d.clock.Now()
	d.follow(s, now)
	if news && s.link.open {
		ro.reading.heard = d.stamp(now)
		d.node.Batch(s.link.publish)
	}
	ro.post(s)
	return true
}

// post shows a part's status to others.
func (ro *roster) post(s *slot) {
	ro.mu.Lock()
	defer ro.mu.Unlock()
	for i, other := range ro.slots {
		if other == s {
			ro.posted[i] = s.status
		}
	}
}

// statuses appends a snapshot of every part.
func (ro *roster) statuses(to []PartStatus) []PartStatus {
	ro.mu.Lock()
	defer ro.mu.Unlock()
	return append(to, ro.posted...)
}

// halt switches every part off, as far as it can be reached; the time that takes is bounded by the budget of a poll.
func (ro *roster) halt() error {
	var errs []error
	for _, s := range ro.slots {
		if s.guard != nil {
			s.guard.begin(true)
		}
		errs = append(errs, s.part.Halt())
	}
	return errors.Join(errs...)
}
