// SPDX-License-Identifier: Apache-2.0

package vcamera_test

import (
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vcamsensor"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// TestDevelop: what the FT903 makes of the sensor's output.
func TestDevelop(t *testing.T) {
	right := vcamsensor.Output{YUYV: true, Width: 640, Height: 480, Rate: 15}
	with := func(f func(*vcamsensor.Output)) vcamsensor.Output {
		o := right
		f(&o)
		return o
	}
	for what, c := range map[string]struct {
		out  vcamsensor.Output
		want vcamera.Development
		rate float64
	}{
		"set up":          {right, vcamera.Development{}, 15},
		"none":            {vcamsensor.Output{}, vcamera.Development{}, 0},
		"power-on":        {vcamsensor.NewOV7670(nil).Output(), vcamera.Development{Swapped: true}, 15},
		"PO at power-on":  {vcamsensor.NewPO(vcamsensor.PO8030).Output(), vcamera.Development{Swapped: true}, 15},
		"slow":            {with(func(o *vcamsensor.Output) { o.Rate = 7.5 }), vcamera.Development{}, 7.5},
		"small":           {with(func(o *vcamsensor.Output) { o.Width = 320 }), vcamera.Development{}, 0},
		"stands still":    {with(func(o *vcamsensor.Output) { o.Rate = 0 }), vcamera.Development{}, 0},
		"mirror and flip": {with(func(o *vcamsensor.Output) { o.Mirror, o.Flip = true, true }), vcamera.Development{Mirror: true, Flip: true}, 15},
		"all by hand": {
			with(func(o *vcamsensor.Output) {
				o.Exposure, o.Gain, o.Red, o.Green, o.Blue, o.Bars = time.Millisecond, 2, 1, 2, 3, true
			}),
			vcamera.Development{Exposure: time.Millisecond, Gain: 2, Red: 1, Green: 2, Blue: 3, Bars: true}, 15,
		},
	} {
		d, rate := vcamera.Develop(c.out)
		if d.Exposure != 0 && c.want.Exposure == 0 { // power-on values of a PO
			d.Exposure, d.Red, d.Green, d.Blue = 0, 0, 0, 0
		}
		if d != c.want || rate != c.rate {
			t.Errorf("%s: %+v at %v, want %+v at %v", what, d, rate, c.want, c.rate)
		}
	}
}

// TestTurned: mirror and flip are what they say, exactly.
func TestTurned(t *testing.T) {
	s, pose := everything(), geom.Pose{}
	plain := draw(t, s, pose, vcamera.Development{})
	mirror, flip := draw(t, s, pose, vcamera.Development{Mirror: true}), draw(t, s, pose, vcamera.Development{Flip: true})
	swapped := draw(t, s, pose, vcamera.Development{Swapped: true})
	for y := range vcamera.Height {
		for x := range vcamera.Width {
			want := pixel(plain, x, y)
			if got := pixel(mirror, vcamera.Width-1-x, y); got != want {
				t.Fatalf("mirror (%d, %d): %v, want %v", x, y, got, want)
			}
			if got := pixel(flip, x, vcamera.Height-1-y); got != want {
				t.Fatalf("flip (%d, %d): %v, want %v", x, y, got, want)
			}
		}
	}
	for i := 0; i < len(plain); i += 2 {
		if plain[i] != swapped[i+1] || plain[i+1] != swapped[i] {
			t.Fatalf("swapped byte %d", i)
		}
	}
}

func pixel(p picture, x, y int) [3]int {
	luma, u, v := p.at(x, y)
	return [3]int{luma, u, v}
}

// brightness is the mean luma of the lower half, the floor.
func brightness(t *testing.T, light float64, d vcamera.Development) float64 {
	p := draw(t, &vcamera.Scene{Light: light}, geom.Pose{}, d)
	sum := 0
	for i := vcamera.FrameSize * 3 / 4; i < vcamera.FrameSize; i += 2 {
		sum += int(p[i])
	}
	return float64(sum) / (vcamera.FrameSize / 8)
}

// TestExposure: the automatic functions make up for the light as far as they reach; by hand, brightness goes with
// exposure and gain.
func TestExposure(t *testing.T) {
	right := brightness(t, 1, vcamera.Development{})
	for _, light := range []float64{0.02, 0.1, 10, 100} {
		if got := brightness(t, light, vcamera.Development{}); got < right-3 || got > right+3 {
			t.Errorf("automatic in %g W/m²: %.0f, want %.0f", light, got, right)
		}
	}
	if got := brightness(t, 0.001, vcamera.Development{}); got > right/2 || got == 0 {
		t.Errorf("automatic in the dark: %.0f", got)
	}
	if got := brightness(t, 0, vcamera.Development{}); got != 0 {
		t.Errorf("no light: %.0f", got)
	}
	hand := func(e time.Duration, gain float64) float64 {
		return brightness(t, 1, vcamera.Development{Exposure: e, Gain: gain})
	}
	if got := hand(20*time.Millisecond, 1); got < right-3 || got > right+3 {
		t.Errorf("20 ms: %.0f, want %.0f", got, right)
	}
	half, twice := hand(10*time.Millisecond, 1), hand(5*time.Millisecond, 2)
	if half > right*0.55 || half < right*0.45 || twice < half-2 || twice > half+2 {
		t.Errorf("10 ms: %.0f, 5 ms twice amplified: %.0f; right is %.0f", half, twice, right)
	}
	if got := hand(60*time.Millisecond, 2); got < 253 {
		t.Errorf("60 ms twice amplified: %.0f", got)
	}
	if got := brightness(t, 1, vcamera.Development{Exposure: 10 * time.Millisecond}); got < right-3 || got > right+3 {
		t.Errorf("10 ms, automatic gain: %.0f", got)
	}
	if got := brightness(t, 1, vcamera.Development{Gain: 4}); got < right-3 || got > right+3 {
		t.Errorf("gain 4, automatic exposure: %.0f", got)
	}
}

// TestBalance: each colour by itself.
func TestBalance(t *testing.T) {
	p := draw(t, &vcamera.Scene{Light: 1}, geom.Pose{}, vcamera.Development{Red: 1, Green: 0.5, Blue: 0.5, Exposure: 10 * time.Millisecond, Gain: 1})
	if _, u, v := p.at(320, 470); v < 140 || u > 128 {
		t.Errorf("red twice the others: (%d, %d)", u, v)
	}
}

// TestBars: eight of them, white to black.
func TestBars(t *testing.T) {
	p := draw(t, everything(), geom.Pose{}, vcamera.Development{Bars: true, Gain: 9, Exposure: 1})
	last := 256
	for i := range 8 {
		luma, u, v := p.at(i*80+40, 100)
		if luma >= last {
			t.Errorf("bar %d of %d after one of %d", i, luma, last)
		}
		last = luma
		if y2, u2, v2 := p.at(i*80+40, 400); y2 != luma || u2 != u || v2 != v {
			t.Errorf("bar %d is not one colour", i)
		}
	}
	if p.is(5*80+40, 200) != red || p.is(6*80+40, 200) != blue || p.is(3*80+40, 200) != green {
		t.Error("colours of the bars")
	}
}
