// SPDX-License-Identifier: Apache-2.0

package mcu

import "time"

// counts is a pair of step counters, full steps modulo 2^16.
type counts struct{ left, right int16 }

func countsOf(s *Sensors) counts       { return counts{s.LeftSteps, s.RightSteps} }
func (a counts) plus(b counts) counts  { return counts{a.left + b.left, a.right + b.right} }
func (a counts) minus(b counts) counts { return counts{a.left - b.left, a.right - b.right} }
func (a counts) within(b counts, n int) bool {
	return dist(a.left, b.left) <= n && dist(a.right, b.right) <= n
}

// dist is the distance of two counters modulo 2^16, 0 to 32768.
func dist(a, b int16) int {
	d := int(a - b)
	if d < 0 {
		return -d
	}
	return d
}

// steps keeps the counters the caller sees continuous while receipts move the MCU's own: seen = raw − offset.
type steps struct {
	offset counts    // what receipts have added to the MCU's counters
	raw    counts    // the MCU's counters in the last reply
	seen   counts    // the same as the caller saw them
	at     time.Time // when
	valid  bool      // there was a reply
	resync bool      // the next reply continues seen, whatever its counters are
	outage bool      // an exchange failed since
}

const (
	// slack is by how many steps a difference may exceed the possible one before it counts as a restart.
	slack = 64
	// stillSteps: a robot found at most this far from 0 after an outage, and well away from it before, was restarted.
	stillSteps = 20
	// StartTime is certainly shorter than the time after a reset in which the MCU does not answer, which is 1.004 s:
	// usbcfg.c, 337 sleeps one second before the I2C slave starts; the rest was measured by running the firmware's
	// code. A shorter outage was not a restart.
	StartTime = 500 * time.Millisecond
)

// reach is how far a wheel can have turned in dt, steps: the top speed with a margin of a quarter.
func reach(dt time.Duration) float64 { return float64(1.25*topSpeed*dt.Seconds()) + slack }

// observe processes the counters of a reply: it settles a pending receipt, detects a restart, and returns the reply
// with the counters for the caller.
func (d *Dev) observe(raw Sensors) Sensors {
	now, c := d.opts.Now(), countsOf(&raw)
	st := &d.steps
	accepted := d.settle(c)
	if st.valid && st.outage && now.Sub(st.at) >= StartTime {
		d.wheels.forget() // it may have been restarted: a robot that had not moved shows no jump
	}
	switch {
	case st.resync:
		st.offset = c.minus(st.seen)
		st.resync = false
	case st.valid && !accepted && st.restarted(c, now):
		st.offset = counts{}
		d.cnt.restarts.Add(1)
		d.wheels.forget()
		d.opts.OnEvent(Event{Kind: EventRestart})
	}
	st.update(c, now)
	raw.LeftSteps, raw.RightSteps = st.seen.left, st.seen.right
	return raw
}

// update stores a reading.
func (st *steps) update(c counts, now time.Time) {
	st.raw, st.seen, st.at, st.valid, st.outage = c, c.minus(st.offset), now, true, false
}

// restarted reports whether the counters began again at 0: they are where a robot that has just started can be, and the
// wheels cannot have turned there from the last reading. When exchanges failed for as long as a start takes, during
// which wheels could turn far, counters near 0 are sufficient.
func (st *steps) restarted(c counts, now time.Time) bool {
	since := now.Sub(st.at)
	far := reach(since)
	if st.outage && since >= StartTime && c.within(counts{}, stillSteps) && !st.raw.within(counts{}, 4*stillSteps) {
		return true
	}
	jumped := float64(dist(c.left, st.raw.left)) > far || float64(dist(c.right, st.raw.right)) > far
	return jumped && float64(dist(c.left, 0)) <= far && float64(dist(c.right, 0)) <= far
}
