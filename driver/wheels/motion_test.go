// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// forward is a motion.
var forward = Speeds{500, -300}

func TestMotionEndsAfterItsTimeout(t *testing.T) {
	const timeout = 500 * time.Millisecond
	var m motion
	m.get(epoch, 0, timeout)
	if _, ok := m.deadline(timeout); ok {
		t.Error("a robot at rest has a deadline")
	}
	if ok, news := m.ask(forward, 0); !ok || !news {
		t.Errorf("accepted %v, news %v", ok, news)
	}
	m.get(epoch, 0, timeout)
	if at, ok := m.deadline(timeout); !ok || !at.Equal(epoch.Add(timeout)) {
		t.Errorf("deadline %v, %v", at, ok)
	}
	if ok, news := m.ask(forward, 0); !ok || news {
		t.Errorf("the same again: accepted %v, news %v", ok, news)
	}
	for _, c := range []struct {
		after   time.Duration
		want    Speeds
		expired bool
	}{{0, forward, false}, {timeout - 1, forward, false}, {timeout, Speeds{}, true}, {2 * timeout, Speeds{}, false}} {
		if v, expired := m.get(epoch.Add(c.after), c.after, timeout); v != c.want || expired != c.expired {
			t.Errorf("after %v: %v, expired %v", c.after, v, expired)
		}
	}
	if _, news := m.ask(forward, 3*timeout); !news {
		t.Error("the same after the time-out is no news")
	}
}

// The time-out counts from the request, also if the loop sees it late.
func TestMotionTimeoutCountsFromRequest(t *testing.T) {
	const timeout = 500 * time.Millisecond
	var m motion
	m.ask(forward, time.Second)
	if v, _ := m.get(epoch, time.Second+timeout-tick, timeout); v != forward {
		t.Errorf("%v before the time-out", v)
	}
	m.ask(forward, time.Second+tick)
	if v, expired := m.get(epoch, time.Second+timeout+2*tick, timeout); v != (Speeds{}) || !expired {
		t.Errorf("%v, expired %v after the time-out", v, expired)
	}
}

func TestMotionWithoutTimeoutIsKept(t *testing.T) {
	var m motion
	m.ask(forward, 0)
	m.get(epoch, 0, 0)
	if v, _ := m.get(epoch.Add(1000*time.Hour), 1000*time.Hour, 0); v != forward {
		t.Errorf("%v", v)
	}
	if _, ok := m.deadline(0); ok {
		t.Error("there is a deadline")
	}
}

func TestMotionRefusesCommands(t *testing.T) {
	var m motion
	m.ask(forward, 0)
	m.hold(holdLost)
	if ok, _ := m.ask(Speeds{1, 1}, 0); ok {
		t.Error("a command was accepted")
	}
	if v, _ := m.get(epoch, 0, 0); v != (Speeds{}) {
		t.Errorf("%v", v)
	}
	m.free(holdLost)
	if v, _ := m.get(epoch, 0, 0); v != (Speeds{}) {
		t.Errorf("an old command was resumed: %v", v)
	}
	if ok, news := m.ask(forward, 0); !ok || !news {
		t.Error("a command was refused")
	}
}

func TestMotionEndsThoughTheClockIsSetBack(t *testing.T) {
	var m motion
	m.ask(forward, time.Hour)
	m.get(epoch, time.Hour, time.Second)
	now := epoch.Add(-time.Hour)
	if v, _ := m.get(now, 0, time.Second); v != forward {
		t.Errorf("%v", v)
	}
	if v, _ := m.get(now.Add(time.Second), time.Second, time.Second); v != (Speeds{}) {
		t.Errorf("%v a second later", v)
	}
}

// Speeds survive packing, with every sign.
func TestSpeedsPack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Speeds{Left: speed.Draw(t, "left"), Right: speed.Draw(t, "right")}
		if got := unpack(s.pack()); got != s {
			t.Fatalf("%v became %v", s, got)
		}
	})
}
