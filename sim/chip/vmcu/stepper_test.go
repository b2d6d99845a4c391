// SPDX-License-Identifier: Apache-2.0

package vmcu_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

// Fact: real speed = 100000/(2·⌊100000/(2·v)⌋), clipped to ±1100.
func TestSpeedIsQuantised(t *testing.T) {
	for _, c := range []struct {
		v    int
		real float64
	}{
		{0, 0}, {1, 1}, {300, 301.2}, {500, 500}, {700, 704.2}, {900, 909.1}, {1050, 1063.8},
		{1099, 1111.1}, {1100, 1111.1}, {1101, 1111.1}, {32767, 1111.1},
		{-300, -301.2}, {-1100, -1111.1}, {-32768, -1111.1},
	} {
		g := newRig()
		g.send(c.v, -c.v/2)
		if l, _ := g.speeds(); math.Abs(l-c.real) > 0.05 {
			t.Errorf("speed %d is really %.2f, want %.1f", c.v, l, c.real)
		}
	}
}

// The counter says the same as the speed.
func TestCounterFollowsTheSpeed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.IntRange(-1500, 1500).Draw(t, "v")
		g := newRig()
		g.send(v, 0)
		l, _ := g.speeds()
		before, _ := g.steps()
		g.wait(3 * time.Second)
		after, _ := g.steps()
		if d := float64(after-before) - 3*l; math.Abs(d) > 1.01 {
			t.Fatalf("%d steps in 3 s at %v steps/s", after-before, l)
		}
	})
}

// Fact: a stopped motor's timer runs at 100 Hz, so a speed begins within 10 ms;
// a new speed begins when the running period ends.
func TestNewPeriodBeginsWhenTheOldOneEnds(t *testing.T) {
	g := newRig()
	g.wait(time.Second + 2*time.Millisecond)
	g.send(1000, 1000)
	g.wait(8*time.Millisecond - vmcu.Tick)
	if l, _ := g.Travel(); l != 0 {
		t.Errorf("moved %d half steps before the period ended", l)
	}
	g.wait(vmcu.Tick)
	if l, _ := g.Travel(); l != 1 {
		t.Errorf("moved %d half steps at the end of the period, want 1", l)
	}
	g.wait(time.Millisecond)
	if l, _ := g.Travel(); l != 3 {
		t.Errorf("moved %d half steps a millisecond later, want 3", l)
	}
	g.send(1, 1) // half a second per half step from the next one on
	g.wait(time.Millisecond)
	was, _ := g.Travel()
	g.send(1000, 1000)
	g.wait(400 * time.Millisecond)
	if l, _ := g.Travel(); l != was {
		t.Errorf("a slow period was cut short: %d half steps, want %d", l, was)
	}
}

// Fact: the counters are 16 bits of a 32-bit count and wrap, both ways, many
// times, at the same step.
func TestCountersWrap(t *testing.T) {
	g := newRig()
	g.send(1000, -1000)
	g.wait(10 * time.Millisecond)
	base, _ := g.steps()
	var lastL, lastR int16
	sumL, sumR := 0, 0
	l, r := g.steps()
	lastL, lastR = int16(l), int16(r)
	wraps := 0
	for range 1000 { // 400000 steps, six turns of the counter
		g.now += 400 * time.Millisecond
		g.Advance(g.now)
		l, r = g.steps()
		if int16(l) < lastL {
			wraps++
		}
		sumL += int(int16(l) - lastL)
		sumR += int(int16(r) - lastR)
		lastL, lastR = int16(l), int16(r)
	}
	if sumL != 400000 || sumR != -400000 || wraps != 6 {
		t.Errorf("summed %d and %d steps with %d wraps, want ±400000 and 6", sumL, sumR, wraps)
	}
	if base < 0 || base > 20 {
		t.Errorf("began at %d", base)
	}
}

// Fact: the packet holds count/2, which in C rounds towards zero.
func TestHalfSteps(t *testing.T) {
	for _, c := range []struct {
		v      int
		period time.Duration // of a half step
		want   []int
	}{
		{100, 5 * time.Millisecond, []int{0, 1, 1, 2, 2, 3}},
		{-100, 5 * time.Millisecond, []int{0, -1, -1, -2, -2, -3}},
	} {
		g := newRig()
		g.send(c.v, 0)
		g.wait(10 * time.Millisecond)
		for i, want := range c.want {
			if l, _ := g.steps(); l != want {
				t.Errorf("speed %d: after %d half steps the counter is %d, want %d", c.v, i+1, l, want)
			}
			g.wait(c.period)
		}
	}
}

// However the time is cut, the motors end at the same place.
func TestAdvanceInPiecesIsAdvanceAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := newRig(), newRig()
		now := time.Duration(0)
		for range rapid.IntRange(1, 6).Draw(t, "commands") {
			v := rapid.IntRange(-1200, 1200).Draw(t, "v")
			a.send(v, -v)
			b.send(v, -v)
			end := now + time.Duration(rapid.IntRange(0, 300000).Draw(t, "µs"))*time.Microsecond
			for now < end {
				now = min(end, now+time.Duration(rapid.IntRange(1, 50000).Draw(t, "piece"))*time.Microsecond)
				a.Advance(now)
			}
			b.Advance(end)
			al, ar := a.Travel()
			bl, br := b.Travel()
			if al != bl || ar != br {
				t.Fatalf("at %v: %d, %d in pieces and %d, %d at once", end, al, ar, bl, br)
			}
		}
	})
}

func TestTimeDoesNotGoBack(t *testing.T) {
	g := newRig()
	g.send(1000, 1000)
	g.Advance(time.Second)
	l, _ := g.Travel()
	g.Advance(time.Millisecond)
	if now, _ := g.Travel(); now != l || g.Now() != time.Second {
		t.Errorf("went back to %v, %d half steps", g.Now(), now)
	}
}
