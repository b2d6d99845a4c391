// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/robot"
)

func TestToFRangeFollowsREP117(t *testing.T) {
	for distance, want := range map[float64]float64{
		0.3: 0.3, robot.MinToFRange: robot.MinToFRange, robot.MaxToFRange: robot.MaxToFRange, 1.01: math.Inf(1), 0.004: math.Inf(-1),
		math.Inf(1): math.Inf(1), math.Inf(-1): math.Inf(-1),
	} {
		if got := ToFRange(distance); got != want {
			t.Errorf("%v m is published as %v, want %v", distance, got, want)
		}
	}
}

func TestToFRayOfTheScan(t *testing.T) {
	inf, none := math.Inf(1), math.Inf(-1)
	at := float64(float32(0.5 + math.Hypot(robot.ToF().X, robot.ToF().Y)))
	for _, c := range []struct {
		invalid        InvalidRay
		distance, want float64
	}{
		{InvalidInf, 0.5, at}, {InvalidNaN, 0.5, at}, {InvalidZero, 0.5, at},
		{InvalidInf, inf, inf}, {InvalidNaN, inf, inf}, {InvalidZero, inf, 0},
		{InvalidInf, none, none}, {InvalidNaN, none, none}, {InvalidZero, none, float64(float32(robot.MinScanRange))},
	} {
		var rays [robot.ScanRays]float32
		PutToF(&rays, c.distance, c.invalid)
		got := float64(rays[robot.ScanRays/2])
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s: %v m gives %v, want %v", c.invalid, c.distance, got, c.want)
		}
		rays[robot.ScanRays/2] = 0
		if rays != [robot.ScanRays]float32{} {
			t.Error("another ray was written")
		}
	}
}
