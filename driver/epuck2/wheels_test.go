// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

var defaultWheels = Wheels{Radius: 0.02, Distance: 0.05685, MaxSpeed: 6.91, SpeedUnit: 2 * math.Pi / 1000}

func TestSteps(t *testing.T) {
	compat := defaultWheels
	compat.SpeedUnit = 0.0068
	slow := defaultWheels
	slow.MaxSpeed = 1
	for _, c := range []struct {
		name        string
		wheels      Wheels
		v, omega    float64
		left, right int16
	}{
		{"at rest", defaultWheels, 0, 0, 0, 0},
		{"2 cm/s", defaultWheels, 0.02, 0, 159, 159},
		{"2 cm/s as the old driver commands it", compat, 0.02, 0, 147, 147},
		{"backwards", defaultWheels, -0.02, 0, -159, -159},
		{"1 rad/s to the left", defaultWheels, 0, 1, -226, 226},
		{"arc", defaultWheels, 0.05, 0.5, 285, 511},
		{"top speed", defaultWheels, 0.1382, 0, 1100, 1100},
		{"beyond it", defaultWheels, 1, 0, 1100, 1100},
		{"beyond it, old unit: the firmware's limit holds", compat, 1, 0, 1016, 1016},
		{"own limit", slow, 1, 0, 159, 159},
		{"pure turn beyond the limit", defaultWheels, 0, -100, 1100, -1100},
		{"absurd", defaultWheels, math.MaxFloat64, -math.MaxFloat64, 1100, 1039},
	} {
		t.Run(c.name, func(t *testing.T) {
			if l, r := c.wheels.Steps(c.v, c.omega); l != c.left || r != c.right {
				t.Errorf("Steps(%v, %v) = %d, %d, want %d, %d", c.v, c.omega, l, r, c.left, c.right)
			}
		})
	}
}

// The old driver wrote 0.0068 for 2π/1000 = 0.0062832 and drove 7.6 % too slowly.
func TestOldDriverDefectSpeedUnit(t *testing.T) {
	if l, _ := defaultWheels.Steps(0.02, 0); l != 159 {
		t.Errorf("0.02 m/s are %d steps/s, want 159", l)
	}
}

// The old driver clipped each wheel alone, which straightens or sharpens the curve that was asked for.
func TestOldDriverDefectSaturationKeepsTheCurvature(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := Wheels{
			Radius:    rapid.Float64Range(0.01, 0.05).Draw(t, "radius"),
			Distance:  rapid.Float64Range(0.03, 0.1).Draw(t, "distance"),
			MaxSpeed:  rapid.Float64Range(0.5, 10).Draw(t, "limit"),
			SpeedUnit: 2 * math.Pi / 1000,
			Ratio:     rapid.Float64Range(0.8, 1.25).Draw(t, "ratio"),
		}
		v := rapid.Float64Range(-2, 2).Draw(t, "v")
		omega := rapid.Float64Range(-50, 50).Draw(t, "omega")
		l, r := w.speeds(v, omega)
		limit := min(w.MaxSpeed, maxSteps*w.SpeedUnit) * (1 + 1e-12)
		if math.Abs(l) > limit || math.Abs(r) > limit {
			t.Fatalf("%v, %v exceed %v", l, r, limit)
		}
		left := 2 * w.Radius / (1 + w.Ratio)
		l, r = l*left, r*left*w.Ratio // m/s
		gotV, gotOmega := (l+r)/2, (r-l)/w.Distance
		if cross := gotV*omega - gotOmega*v; math.Abs(cross) > 1e-9*(1+math.Abs(v*omega)) {
			t.Fatalf("asked %v m/s %v rad/s, got %v m/s %v rad/s", v, omega, gotV, gotOmega)
		}
		if gotV*v < -1e-12 || gotOmega*omega < -1e-12 {
			t.Fatalf("asked %v m/s %v rad/s, got %v m/s %v rad/s: reversed", v, omega, gotV, gotOmega)
		}
	})
}

func TestSpeedsAreAlwaysFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, r := defaultWheels.speeds(rapid.Float64().Draw(t, "v"), rapid.Float64().Draw(t, "omega"))
		if math.IsNaN(l+r) || math.Abs(l) > 7 || math.Abs(r) > 7 {
			t.Fatalf("%v, %v", l, r)
		}
	})
}

// TestScale: the factor is what Speeds and JointSteps scale by, and 0 at the least.
func TestScale(t *testing.T) {
	w := Wheels{Radius: 0.02, Distance: 0.057, MaxSpeed: 6.91, SpeedUnit: 2 * math.Pi / 1000, Ratio: 1.01}
	for _, c := range [][2]float64{{0, 0}, {0.1, 0}, {0.1382, 0}, {0.5, 1}, {-3, 0.2}, {0, -20}, {1e300, -1e300}, {math.MaxFloat64, math.MaxFloat64}} {
		v, omega := c[0], c[1]
		scale := w.Scale(v, omega)
		if !(scale >= 0 && scale <= 1) {
			t.Errorf("(%v, %v): %v", v, omega, scale)
		}
		left, right := w.speeds(v, omega)
		if wantLeft, wantRight := w.speeds(v*scale, omega*scale); scale > 1e-100 && math.Abs(left-wantLeft)+math.Abs(right-wantRight) > 1e-9 {
			t.Errorf("(%v, %v) by %v: %v, %v; want %v, %v", v, omega, scale, wantLeft, wantRight, left, right)
		}
	}
	if got := w.JointScale(-13.82, 1); math.Abs(got-0.5) > 1e-12 {
		t.Error(got)
	}
}
