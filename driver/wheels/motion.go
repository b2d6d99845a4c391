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

// Hold is a set of reasons to keep the wheels stopped.
type Hold uint32

// The reasons.
const (
	holdLost        Hold = 1 << iota // the robot does not answer
	holdEnd                          // the loop ends
	HoldBattery                      // the battery is critical
	HoldCalibration                  // a calibration is running
	HoldOff                          // the machine is being switched off
)

// motion is the latest requested motion. Any goroutine sets it; the loop reads it. Both use atomics only.
type motion struct {
	// request has the speeds in the upper half and in the lower the time of the request in ticks. A changed value is a
	// new request.
	request atomic.Uint64
	held    atomic.Uint32 // set of Hold
	force   atomic.Uint32 // the current speeds, to check whether a request changes anything

	// Used by the loop's goroutine only:
	seen   uint64 // the latest applied request
	speeds Speeds
	at     time.Time // time of that request
}

// tick is the unit of a request's time. 32 bits of it overflow after five days, and a request is applied within a
// second.
const tick = 100 * time.Microsecond

// ask requests a motion, age being the time since the loop was created. ok reports whether it was accepted, news that
// it differs from the current one.
func (m *motion) ask(s Speeds, age time.Duration) (ok, news bool) {
	if m.held.Load() != 0 {
		return false, false
	}
	m.request.Store(uint64(s.pack())<<32 | uint64(uint32(age/tick)))
	return true, m.force.Load() != s.pack()
}

// get returns the motion at now, which is age after the loop was created: none once timeout has passed since the
// request, unless timeout is 0. expired reports that this call ended it. Only the loop calls it.
func (m *motion) get(now time.Time, age, timeout time.Duration) (s Speeds, expired bool) {
	for {
		request := m.request.Load()
		if request != m.seen {
			m.seen, m.speeds = request, unpack(uint32(request>>32))
			m.at = now.Add(-max(0, time.Duration(int32(uint32(age/tick)-uint32(request)))*tick))
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
		if m.request.Load() == request { // a later request compares with the new speeds, and wakes the loop
			return m.speeds, expired && m.speeds == Speeds{}
		}
	}
}

// deadline returns the time at which the motion times out; ok is false if it does not. Only the loop calls it.
func (m *motion) deadline(timeout time.Duration) (at time.Time, ok bool) {
	return m.at.Add(timeout), m.speeds != (Speeds{}) && timeout > 0
}

// hold ends the motion and rejects others until the reason is removed.
func (m *motion) hold(why Hold) { m.held.Or(uint32(why)) }

// free removes a reason. Motions requested meanwhile stay rejected.
func (m *motion) free(why Hold) { m.held.And(^uint32(why)) }

// forget ends the latest requested motion; the next one is accepted. Only the loop calls it.
func (m *motion) forget() {
	m.seen, m.speeds = m.request.Load(), Speeds{}
	m.force.Store(0)
}
