// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"testing"
	"time"
)

func TestMotionEndsAfterItsTimeout(t *testing.T) {
	const timeout = 500 * time.Millisecond
	var m motion
	if _, ok := m.deadline(timeout); ok {
		t.Error("a standing robot has a deadline")
	}
	m.set(0.1, 1, epoch)
	if at, ok := m.deadline(timeout); !ok || !at.Equal(epoch.Add(timeout)) {
		t.Errorf("deadline %v, %v", at, ok)
	}
	for _, c := range []struct {
		after   time.Duration
		v       float64
		expired bool
	}{{0, 0.1, false}, {timeout - 1, 0.1, false}, {timeout, 0, true}, {2 * timeout, 0, false}} {
		if v, _, expired := m.get(epoch.Add(c.after), timeout); v != c.v || expired != c.expired {
			t.Errorf("after %v: %v m/s, expired %v", c.after, v, expired)
		}
	}
}

func TestMotionWithoutTimeoutIsKept(t *testing.T) {
	var m motion
	m.set(0.1, 0, epoch)
	if v, _, _ := m.get(epoch.Add(1000*time.Hour), 0); v != 0.1 {
		t.Errorf("%v m/s", v)
	}
	if _, ok := m.deadline(0); ok {
		t.Error("there is a deadline")
	}
}

func TestMotionRefusesCommands(t *testing.T) {
	var m motion
	m.set(0.1, 0, epoch)
	m.hold(holdLost)
	if m.set(0.2, 0, epoch) {
		t.Error("a command was accepted")
	}
	if v, _, _ := m.get(epoch, 0); v != 0 {
		t.Errorf("%v m/s", v)
	}
	m.free(holdLost)
	if v, _, _ := m.get(epoch, 0); v != 0 {
		t.Errorf("an old command was resumed: %v m/s", v)
	}
	if !m.set(0.2, 0, epoch) {
		t.Error("a command was refused")
	}
}

func TestMotionEndsThoughTheClockIsSetBack(t *testing.T) {
	var m motion
	m.set(0.1, 0, epoch)
	now := epoch.Add(-time.Hour)
	if v, _, _ := m.get(now, time.Second); v != 0.1 {
		t.Errorf("%v m/s", v)
	}
	if v, _, _ := m.get(now.Add(time.Second), time.Second); v != 0 {
		t.Errorf("%v m/s a second later", v)
	}
}
