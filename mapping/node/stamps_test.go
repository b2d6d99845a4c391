// SPDX-License-Identifier: Apache-2.0

package node

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestStampsRunOnSteadily: whatever the clock is set to, the time advances by what passes between the messages.
func TestStampsRunOnSteadily(t *testing.T) {
	var s Stamps
	begin := time.Unix(1000, 0)
	for i, c := range []struct{ stamp, at, jump time.Duration }{
		{0, 0, 0},
		{50 * time.Millisecond, 50 * time.Millisecond, 0},
		{50 * time.Millisecond, 50 * time.Millisecond, 0},
		{time.Hour, 50 * time.Millisecond, time.Hour - 50*time.Millisecond},
		{time.Hour + time.Second, 1050 * time.Millisecond, 0},
		{0, 1050 * time.Millisecond, -time.Hour - time.Second},
		{9 * time.Second, 10050 * time.Millisecond, 0},
		{8 * time.Second, 10050 * time.Millisecond, -time.Second},
	} {
		if at, jump := s.Next(begin.Add(c.stamp)); at.Sub(begin) != c.at || jump != c.jump {
			t.Errorf("row %d: %v, jump %v", i, at.Sub(begin), jump)
		}
	}
}

// TestJumpsAreLoggedSeldom: with the size, and how many there were since the last line.
func TestJumpsAreLoggedSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text strings.Builder
		var s Stamps
		log := slog.New(slog.NewTextHandler(&text, nil))
		for range 100 {
			s.Log(log, time.Hour)
			time.Sleep(250 * time.Millisecond)
		}
		if n := strings.Count(text.String(), "\n"); n != 3 || !strings.Contains(text.String(), "jump=1h0m0s jumps=1\n") || !strings.Contains(text.String(), "jumps=40") {
			t.Errorf("%d lines\n%s", n, &text)
		}
	})
}

// TestClockIsSetDuringMapping: readings of the new time go into the map at once. One that waits for odometry of the old
// time is dropped when the clock is set back; an hour later it would go where the robot is then.
func TestClockIsSetDuringMapping(t *testing.T) {
	for _, jump := range []time.Duration{time.Hour, -time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, Config{})
			b.sits("tof", 0, turned(0))
			b.is(0, 0, 0)
			b.is(50*time.Millisecond, 0, 0)
			b.sees(75*time.Millisecond, 0.3) // waits
			b.is(jump+100*time.Millisecond, 0, 0)
			used := b.Stats().Used
			for i := range 10 {
				at := jump + time.Duration(100+50*i)*time.Millisecond
				b.sees(at+25*time.Millisecond, 0.3)
				b.is(at+50*time.Millisecond, 0, 0)
				if s := b.Stats(); s.Used != used+uint64(i)+1 || len(b.pending) != 0 {
					t.Fatalf("clock set by %v, reading %d: %+v, %d wait", jump, i, s, len(b.pending))
				}
			}
			if s := b.Stats(); s.Used+s.Late != 11 {
				t.Errorf("%+v", s)
			}
			if jump < 0 {
				b.is(70*time.Millisecond, 1, 0)
				b.is(80*time.Millisecond, 1, 0)
				if s := b.Stats(); s.Used != 10 {
					t.Errorf("a reading of an hour ago went into the map: %+v", s)
				}
			}
		})
	}
}
