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
	refused  bool // commands are ignored
}

// set asks for a motion. It tells whether it was accepted.
func (m *motion) set(v, omega float64, now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refused {
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

// stop ends the motion. While refuse is true no other is accepted.
func (m *motion) stop(refuse bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.v, m.omega, m.moving, m.refused = 0, 0, false, refuse
}
