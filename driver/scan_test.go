// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"testing"
)

func scanOf(counts [8]uint16, invalid InvalidRay) [ScanRays]float32 {
	var rays [ScanRays]float32
	layout := newScanLayout()
	layout.fill(&rays, &counts, invalid)
	return rays
}

func TestScanPutsEachSensorOnItsRay(t *testing.T) {
	for i, degrees := range []int{-15, -45, -90, -150, 150, 90, 45, 15} {
		var counts [8]uint16
		counts[i] = 235 // 3 cm
		rays := scanOf(counts, InvalidInf)
		for r, v := range rays {
			angle := scanFirstDegree + r*scanStepDegree
			if angle != degrees {
				if !math.IsInf(float64(v), 1) {
					t.Errorf("ps%d: ray at %d° is %v", i, angle, v)
				}
				continue
			}
			want := 0.03 + math.Hypot(infraredMounts[i].x, infraredMounts[i].y)
			if math.Abs(float64(v)-want) > 1e-4 {
				t.Errorf("ps%d: ray at %d° is %v m from the centre, want %v", i, angle, v, want)
			}
		}
	}
}

func TestScanStaysWithinItsLimits(t *testing.T) {
	for c := range SaturatedInfrared {
		for i, v := range scanOf([8]uint16{0: uint16(c), 2: uint16(c), 5: uint16(c)}, InvalidInf) {
			if !math.IsInf(float64(v), 1) && (v < float32(MinScanRange) || v > float32(MaxScanRange)) {
				t.Fatalf("%d counts: ray %d is %v", c, i, v)
			}
		}
	}
}

func TestScanInvalid(t *testing.T) {
	const saturated, empty, free = 9, 10, 11 // −15° (ps0), 0° (no sensor in this robot), 15° (ps7)
	counts := [8]uint16{0: 4095}
	for _, c := range []struct {
		invalid InvalidRay
		none    func(float64) bool
		tooNear func(float64) bool
	}{
		{InvalidInf, func(v float64) bool { return math.IsInf(v, 1) }, func(v float64) bool { return math.IsInf(v, -1) }},
		{InvalidNaN, math.IsNaN, func(v float64) bool { return math.IsInf(v, -1) }},
		{InvalidZero, func(v float64) bool { return v == 0 }, func(v float64) bool { return v > MinScanRange && v < MinScanRange+0.001 }},
	} {
		rays := scanOf(counts, c.invalid)
		if v := float64(rays[saturated]); !c.tooNear(v) {
			t.Errorf("%s: saturated ray is %v", c.invalid, v)
		}
		for _, i := range []int{empty, free} {
			if v := float64(rays[i]); !c.none(v) {
				t.Errorf("%s: ray %d is %v", c.invalid, i, v)
			}
		}
	}
}

// The old driver published 0 where there is no sensor and 0.035 m where nothing was seen: both below range_min, so that
// no costmap could clear, and cut everything beyond 25 mm.
func TestOldDriverDefectScanClears(t *testing.T) {
	for i, v := range scanOf([8]uint16{}, InvalidInf) {
		if !math.IsInf(float64(v), 1) {
			t.Errorf("ray %d of an empty room is %v", i, v)
		}
	}
	if v := scanOf([8]uint16{0: 190}, InvalidInf)[9]; math.IsInf(float64(v), 0) {
		t.Error("an obstacle at 35 mm is not in the scan")
	}
}
