// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

var epoch = time.Unix(1_700_000_000, 0)

// fired returns the time in the timer's channel, if there is one.
func fired(t ros2.Timer) (at time.Time, ok bool) {
	select {
	case at = <-t.C():
		return at, true
	default:
		return at, false
	}
}

func TestManualClock(t *testing.T) {
	c := ros2.NewManualClock(epoch)
	early, late := c.NewTimer(time.Second), c.NewTimer(3*time.Second)
	at0, ok := fired(c.NewTimer(0))
	if !ok || !at0.Equal(epoch) {
		t.Error("a timer of 0 s waits")
	}
	c.Advance(time.Second - 1)
	if _, ok := fired(early); ok {
		t.Error("fired a nanosecond early")
	}
	c.Advance(time.Minute)
	if at, ok := fired(early); !ok || !at.Equal(epoch.Add(time.Second)) {
		t.Errorf("early timer: %v %v", at, ok)
	}
	if at, ok := fired(late); !ok || !at.Equal(epoch.Add(3*time.Second)) {
		t.Errorf("late timer: %v %v", at, ok)
	}
	if want := epoch.Add(time.Minute + time.Second - 1); !c.Now().Equal(want) {
		t.Errorf("now %v, want %v", c.Now(), want)
	}
	c.Set(epoch)
	if !c.Now().Equal(epoch) {
		t.Error("the clock cannot be set back")
	}
}

func TestManualTimerStopAndReset(t *testing.T) {
	c := ros2.NewManualClock(epoch)
	timer := c.NewTimer(time.Second)
	if !timer.Stop() || timer.Stop() {
		t.Error("Stop: want true, then false")
	}
	c.Advance(time.Hour)
	if _, ok := fired(timer); ok {
		t.Error("fired although stopped")
	}
	if timer.Reset(time.Second) {
		t.Error("Reset of a stopped timer says it ran")
	}
	c.Advance(time.Second)
	if !timer.Reset(time.Second) { // fired, but not received
		t.Error("Reset of a fired timer without a receiver returned false")
	}
	if _, ok := fired(timer); ok {
		t.Error("a stale time after Reset")
	}
	c.Advance(time.Second)
	if _, ok := fired(timer); !ok {
		t.Error("did not fire after Reset")
	}
}

func TestManualClockAwaitTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := ros2.NewManualClock(epoch)
		beats := make(chan time.Time)
		go func() {
			timer := c.NewTimer(time.Second)
			for range 3 {
				beats <- <-timer.C()
				timer.Reset(time.Second)
			}
		}()
		for i := range 3 {
			c.AwaitTimers(1)
			c.Advance(time.Second)
			if got, want := <-beats, epoch.Add(time.Duration(i+1)*time.Second); !got.Equal(want) {
				t.Errorf("beat %d at %v, want %v", i, got, want)
			}
		}
	})
}

func TestSystemClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := ros2.SystemClock()
		start := c.Now()
		timer := c.NewTimer(time.Second)
		if at := <-timer.C(); at.Sub(start) != time.Second {
			t.Errorf("fired after %v", at.Sub(start))
		}
		if timer.Reset(time.Hour) || !timer.Stop() {
			t.Error("Reset or Stop")
		}
	})
}

func TestStamp(t *testing.T) {
	for _, c := range []struct {
		t    time.Time
		sec  int32
		nsec uint32
	}{
		{time.Time{}, 0, 0},
		{time.Unix(12, 34), 12, 34},
		{time.Unix(-1, 999_999_999), -1, 999_999_999}, // a nanosecond before 1970
		{time.Unix(math.MaxInt32, 5), math.MaxInt32, 5},
		{time.Unix(math.MaxInt32+1, 0), math.MaxInt32, 999_999_999},
		{time.Unix(math.MinInt32-1, 5), math.MinInt32, 0},
	} {
		if sec, nsec := ros2.Stamp(c.t); sec != c.sec || nsec != c.nsec {
			t.Errorf("%v: %d, %d; want %d, %d", c.t, sec, nsec, c.sec, c.nsec)
		}
	}
	if !ros2.FromStamp(0, 0).IsZero() {
		t.Error("0, 0 is a time")
	}
	rapid.Check(t, func(t *rapid.T) {
		sec, nsec := rapid.Int32().Draw(t, "sec"), rapid.Uint32Range(0, 999_999_999).Draw(t, "nsec")
		if s, ns := ros2.Stamp(ros2.FromStamp(sec, nsec)); s != sec || ns != nsec {
			t.Fatalf("%d.%09d comes back as %d.%09d", sec, nsec, s, ns)
		}
	})
}

func TestSeconds(t *testing.T) {
	for s, want := range map[float64]time.Duration{
		0.5: 500 * time.Millisecond, -2: -2 * time.Second, 0: 0,
		1e300: math.MaxInt64, math.Inf(1): math.MaxInt64, math.Inf(-1): math.MinInt64, 9.3e9: math.MaxInt64,
	} {
		if got := ros2.Seconds(s); got != want {
			t.Errorf("%v s = %d, want %d", s, got, want)
		}
	}
	if got := ros2.Seconds(math.NaN()); got != 0 {
		t.Errorf("NaN s = %v", got)
	}
}

// Timers fire in the order of their times, however the clock moves.
func TestManualClockProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := ros2.NewManualClock(epoch)
		var timers []ros2.Timer
		var due []time.Duration
		for _, ms := range rapid.SliceOfN(rapid.IntRange(1, 100), 1, 10).Draw(t, "timers") {
			d := time.Duration(ms) * time.Millisecond
			due = append(due, d)
			timers = append(timers, c.NewTimer(d))
		}
		for _, ms := range rapid.SliceOf(rapid.IntRange(0, 50)).Draw(t, "steps") {
			c.Advance(time.Duration(ms) * time.Millisecond)
		}
		passed := c.Now().Sub(epoch)
		for i, timer := range timers {
			at, ok := fired(timer)
			if ok != (due[i] <= passed) || (ok && at.Sub(epoch) != due[i]) {
				t.Fatalf("timer of %v after %v: fired %v at %v", due[i], passed, ok, at.Sub(epoch))
			}
		}
		if slices.Max(due) > passed {
			return
		}
		c.AwaitTimers(0)
	})
}
