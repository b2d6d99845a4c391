// SPDX-License-Identifier: Apache-2.0

package vcamera_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// TestBarsAreBT601: the test picture's colours are those of BT.601 with all values, by its own formula.
func TestBarsAreBT601(t *testing.T) {
	p := draw(t, &vcamera.Scene{}, geom.Pose{}, vcamera.Development{Bars: true})
	for i, c := range [8][3]float64{
		{255, 255, 255}, {255, 255, 0}, {0, 255, 255}, {0, 255, 0}, {255, 0, 255}, {255, 0, 0}, {0, 0, 255}, {0, 0, 0},
	} {
		luma := 0.299*c[0] + 0.587*c[1] + 0.114*c[2]
		want := [3]float64{luma, 128 + (c[2]-luma)/1.772, 128 + (c[0]-luma)/1.402}
		y, u, v := p.at(i*80+40, 240)
		for k, got := range [3]int{y, u, v} {
			if math.Abs(float64(got)-math.Min(255, want[k])) > 1.6 {
				t.Errorf("bar %d: (%d, %d, %d), want %.1f", i, y, u, v, want)
			}
		}
	}
}

// TestDistanceShades: the same thing is the paler the farther away it is, and grey stays grey but for the haze's own
// blue.
func TestDistanceShades(t *testing.T) {
	last := 1000
	for _, d := range []float64{0.2, 0.5, 1, 2, 4, 8} {
		s := vcamera.Scene{Light: 1, Things: []vcamera.Thing{
			{Shape: geom.NewBox(geom.Vec{X: d}, geom.Vec{X: 0.01, Y: 4}, 0, 2), Colour: red},
		}}
		_, u, v := draw(t, &s, geom.Pose{}, vcamera.Development{}).at(320, 100)
		if v >= last || v <= 110 {
			t.Errorf("at %g m: V %d after %d", d, v, last)
		}
		if last = v; u > 136 {
			t.Errorf("at %g m: U %d", d, u)
		}
	}
}

// TestSidesAreTold: the sides of a box differ in brightness, so that its edges are seen.
func TestSidesAreDistinguished(t *testing.T) {
	s := vcamera.Scene{Light: 1, Things: []vcamera.Thing{
		{Shape: geom.NewBox(geom.Vec{X: 0.4}, geom.Vec{X: 0.1, Y: 0.1}, math.Pi/4, 0.1), Colour: vcamera.RGB{R: 200, G: 200, B: 200}},
	}}
	p := draw(t, &s, geom.Pose{}, vcamera.Development{})
	left, _, _ := p.at(280, 220)
	right, _, _ := p.at(360, 220)
	if d := left - right; d < 5 && d > -5 {
		t.Errorf("both sides are about %d", left)
	}
}
