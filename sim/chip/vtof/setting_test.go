// SPDX-License-Identifier: Apache-2.0

package vtof_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
)

// A setting reads what a chip in that setting does: whole millimetres of the response, and nothing beyond its reach or
// with too little light.
func TestSettingRange(t *testing.T) {
	long := vtof.LongRange()
	for _, c := range []struct {
		target vtof.Target
		draw   float64
		want   float64
	}{
		{vtof.Target{Distance: 0.5, Reflectance: 1}, 0, 0.532},
		{vtof.Target{Distance: 0.1, Reflectance: 1}, 0, 0.111},
		{vtof.Target{Distance: 0.1, Reflectance: 1}, 2, 0.115}, // 1.9 % of 111 mm, twice
		{vtof.Target{Distance: 0, Reflectance: 1}, -12, 0},
		{vtof.Target{Distance: 1.8, Reflectance: 1}, 0, 1.854},
		{vtof.Target{Distance: 2.11, Reflectance: 2}, 0, math.Inf(1)}, // beyond the reach
		{vtof.Target{Distance: 1, Reflectance: 0.27}, 0, math.Inf(1)}, // 0.097 Mcps
		{vtof.Target{Distance: math.Inf(1)}, 0, math.Inf(1)},          // nothing
		{vtof.Target{Distance: 1, Reflectance: 0.28}, 0, 1.052},       // 0.101 Mcps
	} {
		if got := long.Range(c.target, c.draw); math.Abs(got-c.want) > 1.1e-3*math.Min(1, got) && got != c.want {
			t.Errorf("%+v with %v σ: %v m, want %v", c.target, c.draw, got, c.want)
		}
	}
	g := newRig(t, 1)
	g.bringUp()
	for _, ambient := range []float64{0.5, 3} { // indoors; in bright light both lose the far ones
		for _, d := range []float64{0.02, 0.07, 0.3, 0.5, 0.9, 1.1} {
			g.target = vtof.Target{Distance: d, Reflectance: 1, Ambient: ambient}
			_, mm, ok := g.measure()
			want := long.Range(g.target, 0)
			if lost := math.IsInf(want, 1) && mm == 8191; !ok || !lost && math.Abs(want-float64(mm)/1000) > 1e-9 {
				t.Errorf("at %v m with %v Mcps the chip reads %v mm, the setting %v m", d, ambient, mm, want)
			}
			if bright := ambient > 1 && d > 0.8; math.IsInf(want, 1) != bright {
				t.Errorf("at %v m with %v Mcps: %v m", d, ambient, want)
			}
		}
	}
}
