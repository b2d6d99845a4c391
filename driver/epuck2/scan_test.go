// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/robot"
)

// inTheDark is the ambient light of sensors that are not blind.
var inTheDark = [8]uint16{4000, 4000, 4000, 4000, 4000, 4000, 4000, 4000}

func scanOf(counts [8]uint16, invalid InvalidRay) [robot.ScanRays]float32 {
	var rays [robot.ScanRays]float32
	layout, curves := NewScanLayout(), defaultCurves()
	layout.Fill(&rays, &mcu.Sensors{Proximity: counts, Ambient: inTheDark}, &curves, invalid)
	return rays
}

func TestScanPutsEachSensorOnItsRay(t *testing.T) {
	for i, degrees := range []int{-15, -45, -90, -150, 150, 90, 45, 15} {
		var counts [8]uint16
		counts[i] = 235 // 3 cm
		rays := scanOf(counts, InvalidInf)
		for r, v := range rays {
			angle := int(math.Round((robot.ScanFirst + float64(r)*robot.ScanStep) * 180 / math.Pi))
			if angle != degrees {
				if !math.IsInf(float64(v), 1) {
					t.Errorf("ps%d: ray at %d° is %v", i, angle, v)
				}
				continue
			}
			want := 0.03 + math.Hypot(robot.Infrared()[i].X, robot.Infrared()[i].Y)
			if math.Abs(float64(v)-want) > 1e-4 {
				t.Errorf("ps%d: ray at %d° is %v m from the centre, want %v", i, angle, v, want)
			}
		}
	}
}

func TestScanStaysWithinItsLimits(t *testing.T) {
	for c := range saturatedInfrared {
		for i, v := range scanOf([8]uint16{0: uint16(c), 2: uint16(c), 5: uint16(c)}, InvalidInf) {
			if !math.IsInf(float64(v), 1) && (v < float32(robot.MinScanRange) || v > float32(robot.MaxScanRange)) {
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
		{InvalidZero, func(v float64) bool { return v == 0 }, func(v float64) bool { return v > robot.MinScanRange && v < robot.MinScanRange+0.001 }},
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
// no costmap could clear along the time-of-flight sensor's ray, and cut everything beyond 25 mm.
func TestOldDriverDefectScanClears(t *testing.T) {
	rays := scanOf([8]uint16{}, InvalidNaN)
	PutToF(&rays, math.Inf(1), InvalidNaN)
	if v := rays[robot.ToFRay]; !math.IsInf(float64(v), 1) {
		t.Errorf("the time-of-flight sensor's ray without an obstacle is %v", v)
	}
	if v := scanOf([8]uint16{0: 190}, InvalidNaN)[9]; !(v > 0.035) {
		t.Errorf("an obstacle at 35 mm is %v in the scan", v)
	}
}

// A costmap erases along +Inf up to range_max. By default such a ray exists only where free space was measured that
// far.
func TestScanClaimsNoFreeSpaceThatWasNotMeasured(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var counts [8]uint16
		for i := range counts {
			counts[i] = rapid.Uint16().Draw(t, "counts")
		}
		rays := scanOf(counts, InvalidNaN)
		measured := rapid.Bool().Draw(t, "time-of-flight sensor measured")
		if measured {
			PutToF(&rays, math.Inf(1), InvalidNaN)
		}
		for i, v := range rays {
			ahead := i == robot.ToFRay
			if math.IsInf(float64(v), 1) != (ahead && measured) {
				t.Fatalf("counts %v, ray %d: %v", counts, i, v)
			}
		}
	})
}

// Of a blind sensor, drowned by the sun or refused, nothing is claimed: no free space, no obstacle.
func TestBlindInfraredHasNoRay(t *testing.T) {
	s := mcu.Sensors{Proximity: [8]uint16{235, 0, 235, 0, 0, 235}, Ambient: inTheDark, Refused: mcu.ValueProximity(5) | mcu.ValueAmbient(2)}
	s.Ambient[1], s.Ambient[2], s.Proximity[5] = 0, 0, 0
	var rays [robot.ScanRays]float32
	layout, curves := NewScanLayout(), defaultCurves()
	layout.Fill(&rays, &s, &curves, InvalidNaN)
	for i, seen := range []bool{true, false, true, false, false, false} {
		if v := float64(rays[layout[i].ray]); math.IsNaN(v) == seen {
			t.Errorf("the scan's ray of ps%d is %v", i, v)
		}
	}
}

// defaultCurves are eight sensors that were not measured.
func defaultCurves() (curves [8]InfraredCurve) {
	for i := range curves {
		curves[i] = defaultCurve
	}
	return curves
}
