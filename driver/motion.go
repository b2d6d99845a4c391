// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync"
	"time"
)

// motion is the motion that was asked for last. Subscriptions set it, the bus goroutine reads it; it is safe for
// concurrent use. The zero value stands.
type motion struct {
	mu       sync.Mutex
	v, omega float64   // m/s, rad/s
	at       time.Time // when it was asked for
	moving   bool
	held     hold // why commands are ignored
}

// hold is a set of reasons to keep the wheels still.
type hold uint8

// The reasons.
const (
	holdLost        hold = 1 << iota // the robot does not answer
	holdEnd                          // the driver ends
	holdBattery                      // the battery is critical
	holdCalibration                  // a calibration needs the robot to stand
)

// set asks for a motion. It tells whether it was accepted.
func (m *motion) set(v, omega float64, now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held != 0 {
		return false
	}
	m.v, m.omega, m.at, m.moving = v, omega, now, v != 0 || omega != 0
	return true
}

// get gives the motion in force: none once timeout has passed since it was asked for, unless timeout is 0. expired tells
// that this call is the one that ended it.
func (m *motion) get(now time.Time, timeout time.Duration) (v, omega float64, expired bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now.Before(m.at) {
		m.at = now // the clock was set back: the motion must still end
	}
	if m.moving && timeout > 0 && now.Sub(m.at) >= timeout {
		m.v, m.omega, m.moving, expired = 0, 0, false, true
	}
	return m.v, m.omega, expired
}

// deadline gives the time at which the motion ends by itself; ok is false if it does not.
func (m *motion) deadline(timeout time.Duration) (at time.Time, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.at.Add(timeout), m.moving && timeout > 0
}

// hold ends the motion and accepts no other until the reason is gone.
func (m *motion) hold(why hold) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.v, m.omega, m.moving = 0, 0, false
	m.held |= why
}

// free takes back a reason to stand. What was asked for meanwhile stays forgotten.
func (m *motion) free(why hold) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held &^= why
}
