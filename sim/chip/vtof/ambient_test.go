// SPDX-License-Identifier: Apache-2.0

package vtof_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
)

// maxDistance returns the longest distance at which a target is found, m.
func maxDistance(reflectance, ambient float64) (reach float64) {
	for d := 0.1; d < 2.5; d += 0.001 {
		t := vtof.Target{Distance: d, Reflectance: reflectance, Ambient: ambient}
		if !math.IsInf(vtof.LongRange().Range(t, 0), 1) {
			reach = d
		}
	}
	return reach
}

// TestReachFallsWithAmbientLight: the reach indoors and outdoors is that of the data sheet (DS11555, rev. 6, table
// 12). The model's parameter is fitted to grey outdoors; white outdoors is predicted, and indoors is the signal limit.
func TestReachFallsWithAmbientLight(t *testing.T) {
	const indoors, outdoors = 0.5, 0.5 + 1.2/2 // million counts a second
	for _, c := range []struct {
		what                 string
		reflectance, ambient float64
		least, typical       float64 // of the data sheet, m
	}{
		{"white indoors", 0.88, indoors, 1.2, 2.0},
		{"grey indoors", 0.17, indoors, 0.7, 0.8},
		{"white outdoors", 0.88, outdoors, 0.6, 0.8},
		{"grey outdoors", 0.17, outdoors, 0.4, 0.5},
	} {
		got := maxDistance(c.reflectance, c.ambient)
		if got < c.least || math.Abs(got/c.typical-1) > 0.12 {
			t.Errorf("%s: %.3f m, the data sheet has %g, at least %g", c.what, got, c.typical, c.least)
		}
		t.Logf("%s: %.3f m, the data sheet has %g", c.what, got, c.typical)
	}
	before := math.Inf(1)
	for ambient := 0.0; ambient < 50; ambient += 0.5 {
		now := maxDistance(1, ambient)
		if now > before {
			t.Errorf("%g Mcps: %g m, with less light %g m", ambient, now, before)
		}
		before = now
	}
}
