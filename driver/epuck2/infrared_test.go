// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/robot"
)

var inf = math.Inf(1)

var defaultCurve = DefaultInfraredCurve()

func TestInfraredRangeFollowsREP117(t *testing.T) {
	for _, c := range []struct {
		name   string
		counts uint16
		want   float64
	}{
		{"nothing", 0, inf},
		{"an uncalibrated offset of tens of counts is no obstacle", 95, inf},
		{"just beyond 4 cm", 158, inf},
		{"just within 4 cm", 159, 0.03 + 0.01*(234.93-159)/(234.93-158.03)},
		{"3 cm", 235, 0.03},
		{"halfway between table points", 309, 0.025},
		{"1 cm", 1466, 0.01},
		{"8 mm is nearer than the limit, and not lost", 1700, robot.MinInfraredRange},
		{"one count below saturation", 4094, robot.MinInfraredRange},
		{"saturation", 4095, -inf},
		{"beyond the converter's range", 65535, -inf},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := defaultCurve.Range(c.counts); got != c.want && math.Abs(got-c.want) > 5e-5 {
				t.Errorf("Range(%d) = %v, want %v", c.counts, got, c.want)
			}
		})
	}
}

func TestInfraredDistanceMeetsTheTable(t *testing.T) {
	for _, p := range defaultCurve.points {
		// at most one count
		if got := defaultCurve.Distance(uint16(math.Ceil(p.counts))); math.Abs(got-p.distance) > 6e-4 {
			t.Errorf("at %v counts %v m, want %v", p.counts, got, p.distance)
		}
	}
	if got := defaultCurve.Distance(67); !math.IsInf(got, 1) {
		t.Errorf("below the curve's end: %v, want +Inf", got)
	}
}

func TestInfraredDistanceFallsWithTheReading(t *testing.T) {
	last := inf
	for c := range saturatedInfrared + 10 {
		d := defaultCurve.Distance(uint16(c))
		if d > last || d < 0 || (c > 67 && d > 0.07) {
			t.Fatalf("Distance(%d) = %v after %v", c, d, last)
		}
		last = d
	}
}

// Every value is publishable: infinite, or within the limits even after rounding to the message's float32.
func TestInfraredRangeIsWithinTheLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := float32(defaultCurve.Range(rapid.Uint16().Draw(t, "counts")))
		if math.IsInf(float64(r), 0) {
			return
		}
		if r < float32(robot.MinInfraredRange) || r > float32(robot.MaxInfraredRange) {
			t.Fatalf("%v is outside %v … %v", r, robot.MinInfraredRange, robot.MaxInfraredRange)
		}
	})
}

// The old driver's comparison left out 4095 itself and published about −1 m there, and 0.082 m at 0 counts.
func TestOldDriverDefectSaturationAndSilenceAreNoDistances(t *testing.T) {
	for _, c := range []uint16{0, 4095} {
		if r := defaultCurve.Range(c); !math.IsInf(r, 0) {
			t.Errorf("%d counts are published as %v m", c, r)
		}
	}
}

// A curve is what it was made of, and what makes none is refused with its number.
func TestNewInfraredCurve(t *testing.T) {
	distances, counts := defaultCurve.Points()
	if c, err := NewInfraredCurve(distances, counts); err != nil || !reflect.DeepEqual(c, defaultCurve) {
		t.Errorf("%v, %v", c, err)
	}
	many := make([]float64, MaxCurvePoints+1)
	for _, c := range []struct {
		name              string
		distances, counts []float64
	}{
		{"one point", []float64{0.01}, []float64{100}},
		{"too many", many, many},
		{"not as many", []float64{0.01, 0.02}, []float64{100}},
		{"distances fall", []float64{0.02, 0.01}, []float64{200, 100}},
		{"too far", []float64{0.01, 1.1}, []float64{200, 100}},
		{"distance NaN", []float64{0.01, math.NaN()}, []float64{200, 100}},
		{"readings rise", []float64{0.01, 0.02}, []float64{100, 200}},
		{"readings stay", []float64{0.01, 0.02}, []float64{100, 100}},
		{"reading NaN", []float64{0.01, 0.02}, []float64{math.NaN(), 100}},
		{"negative reading", []float64{0.01, 0.02}, []float64{100, -1}},
		{"beyond 16 bits", []float64{0.01, 0.02}, []float64{70000, 1}},
	} {
		if got, err := NewInfraredCurve(c.distances, c.counts); !errors.Is(err, errCurve) || got.points != nil {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}
