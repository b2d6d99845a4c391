// SPDX-License-Identifier: Apache-2.0

package vmcu

import "time"

// firstInterval is the timer period, in ticks, that the firmware starts a motor's
// timer with (motors.c, 286 and 302: period 0xFFFF).
const firstInterval = 0xFFFF

// haltInterval is the timer period of a stopped motor, in ticks: the
// firmware keeps the timer at 100 Hz so that a new speed begins soon (motors.c,
// 209), from the first command on.
const haltInterval = 1000

// stepper is one motor with its timer. At the end of each timer period the
// motor moves half a step; a changed period is taken over at that moment, as
// the timer's preload register does (firmware motors.c).
type stepper struct {
	count     int32 // half steps, forward positive; what the firmware counts
	travel    int64 // the same since time zero, never set nor wrapped
	direction int32 // −1, 0, 1
	interval  int64 // ticks of the running period
	preload   int64 // ticks of the periods after it
	next      int64 // tick at which the running period ends
}

// newStepper gives a motor whose timer starts at a time.
func newStepper(start time.Duration) stepper {
	return stepper{interval: firstInterval, preload: firstInterval, next: int64(start/Tick) + firstInterval}
}

// settledStepper gives a motor that is stopped since long before time zero.
func settledStepper() stepper {
	return stepper{interval: haltInterval, preload: haltInterval, next: haltInterval}
}

// setSpeed takes a speed in steps/s, clips it and makes it a timer period:
// ⌊100000/(2·|v|)⌋ ticks for a half step.
func (s *stepper) setSpeed(v int) {
	v = max(-SpeedLimit, min(SpeedLimit, v))
	switch {
	case v == 0:
		s.direction, s.preload = 0, haltInterval
	case v > 0:
		s.direction, s.preload = 1, int64(100000/(2*v))
	default:
		s.direction, s.preload = -1, int64(100000/(-2*v))
	}
}

// setPosition sets the counter, steps.
func (s *stepper) setPosition(steps int) { s.count = int32(steps) * 2 }

// position returns the counter in steps, cut to 16 bits as in the packet. The
// division rounds to zero, as in C.
func (s *stepper) position() int16 { return int16(s.count / 2) }

// moving reports whether the motor turns.
func (s *stepper) moving() bool { return s.direction != 0 }

// speed returns the speed the timer makes, steps/s.
func (s *stepper) speed() float64 {
	if s.direction == 0 {
		return 0
	}
	return float64(s.direction) * 100000 / float64(2*s.interval)
}

// advance runs the timer until t.
func (s *stepper) advance(t time.Duration) {
	now := int64(t / Tick)
	if s.next > now {
		return
	}
	// The first end of a period brings in the new one, all others are alike.
	ends := 1 + (now-s.next)/s.preload
	s.interval = s.preload
	s.next += ends * s.interval
	s.count += int32(ends) * s.direction
	s.travel += ends * int64(s.direction)
}
