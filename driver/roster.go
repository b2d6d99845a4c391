// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"sync"
	"time"
)

// roster is the schedule of the parts on one bus. It belongs to the goroutine that owns the bus, except for statuses.
//
// Parts are polled right after the control cycle, each in the cycle that is nearest to its time. Those that are being
// brought up, or are to be read more often than there are cycles, are polled in between, too: when the poll is expected
// to be done before the next cycle, and of several that are due the one due first. What a part takes longer than it
// should comes out of its own time, see slot.
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

// due gives the time at which a part is due that can't wait for a control cycle, limit if none is before.
func (ro *roster) due(now, limit time.Time, cycle time.Duration) time.Time {
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
func (ro *roster) first(now, limit time.Time, cycle time.Duration) (first *slot) {
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

// pollAll polls the parts of a roster that are due with the control cycle at now, and reports whether one was.
func (d *Driver) pollAll(ro *roster, now time.Time) (polled bool) {
	for _, s := range ro.slots {
		if s.joins(now, d.bus.used.period) {
			d.poll(ro, s)
			polled = true
		}
	}
	return polled
}

// pollFirst polls one part that is due between two control cycles, and reports whether one was. With all set, parts
// that usually wait for the cycle do not.
func (d *Driver) pollFirst(ro *roster, now, limit time.Time, all bool) bool {
	cycle := d.bus.used.period
	if all {
		cycle = idle // longer than any period
	}
	s := ro.first(now, limit, cycle)
	if s == nil {
		return false
	}
	d.poll(ro, s)
	return true
}

// poll polls a part, and keeps what it measured for publishing.
func (d *Driver) poll(ro *roster, s *slot) {
	news := s.poll(d.clock.Now)
	now := d.clock.Now()
	d.follow(s, now)
	if news {
		s.news = true
		d.stampPart(s, now)
	}
	ro.post(s)
}

// stampPart gives what a part has measured the time of its transfer.
func (d *Driver) stampPart(s *slot, at time.Time) {
	r, stamp := s.reading, d.stamp(at)
	switch s.name {
	case partIMU:
		r.imu.stamp = stamp
		if d.bus.imu.fresh { // its magnetometer's measurement came in the same transfer
			r.mag.stamp = stamp
		}
	case partToF:
		r.tof.stamp = stamp
	case partGround:
		r.ground.stamp = stamp
	case partMag:
		r.mag.stamp = stamp
	case partBattery:
		r.battery.stamp = stamp
	}
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
