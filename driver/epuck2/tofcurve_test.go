// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
)

// The driver returns the distance at which the simulated sensor has a reading.
func TestToFDistanceUndoesTheSensorsCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.Float64Range(0, 2.5).Draw(t, "distance")
		reads, _ := vtof.Response(d)
		if got := ToFDistance(reads); math.Abs(got-d) > 1e-9 {
			t.Fatalf("%v m reads %v, which gives %v", d, reads, got)
		}
	})
	for _, v := range []float64{math.Inf(1), math.Inf(-1), 8.19} {
		if got := ToFDistance(v); got != v {
			t.Errorf("%v gives %v", v, got)
		}
	}
	if got := ToFDistance(0); got != 0 {
		t.Errorf("0 gives %v", got)
	}
	if got := ToFDistance(math.NaN()); !math.IsNaN(got) {
		t.Errorf("NaN gives %v", got)
	}
}
