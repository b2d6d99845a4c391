// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// Speeds are the speeds of both wheels in motor steps per second, positive forwards.
type Speeds struct{ Left, Right mcu.Speed }

func (s Speeds) pack() uint32 { return uint32(uint16(s.Left))<<16 | uint32(uint16(s.Right)) }

func unpack(w uint32) Speeds { return Speeds{mcu.Speed(w >> 16), mcu.Speed(w)} }

// Hold is a set of reasons to keep the wheels still.
type Hold uint32

// The reasons.
const (
	HoldLost        Hold = 1 << iota // the robot does not answer
	HoldEnd                          // the loop ends
	HoldBattery                      // the battery is critical
	HoldCalibration                  // a calibration needs the robot to stand
	HoldOff                          // the machine is being switched off
)

// motion is the motion that was asked for last. Any goroutine sets it; the loop's follows it. Both only touch atomics.
type motion struct {
	// wish is the wish itself: the speeds in the upper half, in the lower the time of asking in ticks. A wish that
	// differs from the one before is a new one.
	wish  atomic.Uint64
	held  atomic.Uint32 // set of Hold
	force atomic.Uint32 // the speeds in force, for those who ask whether a wish changes anything

	// Of the loop's goroutine:
	seen   uint64 // the wish that was followed last
	speeds Speeds
	at     time.Time // when it was asked for
}

// tick is the unit of the time in a wish. 32 bits of it last for five days, and a wish is followed within a second.
const tick = 100 * time.Microsecond

// ask asks for a motion, age being the time since the loop was made. ok tells whether it was accepted, news that it
// differs from what is in force.
func (m *motion) ask(s Speeds, age time.Duration) (ok, news bool) {
	if m.held.Load() != 0 {
		return false, false
	}
	m.wish.Store(uint64(s.pack())<<32 | uint64(uint32(age/tick)))
	return true, m.force.Load() != s.pack()
}

// get gives the motion in force at now, which is age after the loop was made: none once timeout has passed since it was
// asked for, unless timeout is 0. expired tells that this call is the one that ended it. Only the loop calls it.
func (m *motion) get(now time.Time, age, timeout time.Duration) (s Speeds, expired bool) {
	for {
		wish := m.wish.Load()
		if wish != m.seen {
			m.seen, m.speeds = wish, unpack(uint32(wish>>32))
			m.at = now.Add(-max(0, time.Duration(int32(uint32(age/tick)-uint32(wish)))*tick))
		}
		if m.held.Load() != 0 {
			m.speeds = Speeds{}
		}
		if now.Before(m.at) {
			m.at = now // the clock was set back: the motion must still end
		}
		if m.speeds != (Speeds{}) && timeout > 0 && now.Sub(m.at) >= timeout {
			m.speeds, expired = Speeds{}, true
		}
		m.force.Store(m.speeds.pack())
		if m.wish.Load() == wish { // who asks later sees what is in force, and wakes the loop
			return m.speeds, expired && m.speeds == Speeds{}
		}
	}
}

// deadline gives the time at which the motion ends by itself; ok is false if it does not. Only the loop calls it.
func (m *motion) deadline(timeout time.Duration) (at time.Time, ok bool) {
	return m.at.Add(timeout), m.speeds != (Speeds{}) && timeout > 0
}

// hold ends the motion and accepts no other until the reason is gone.
func (m *motion) hold(why Hold) { m.held.Or(uint32(why)) }

// free takes back a reason to stand. What was asked for meanwhile stays forgotten.
func (m *motion) free(why Hold) { m.held.And(^uint32(why)) }

// forget ends the motion that was asked for last; the next one is accepted. Only the loop calls it.
func (m *motion) forget() {
	m.seen, m.speeds = m.wish.Load(), Speeds{}
	m.force.Store(0)
}
