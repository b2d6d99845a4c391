// SPDX-License-Identifier: Apache-2.0

package ir_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/calibration/ir"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// nominal is the Webots model's response.
var nominal = ir.Curve{
	{Distance: 0, Counts: 4095}, {Distance: 0.005, Counts: 2133.33}, {Distance: 0.01, Counts: 1465.73}, {Distance: 0.015, Counts: 601.46},
	{Distance: 0.02, Counts: 383.84}, {Distance: 0.03, Counts: 234.93}, {Distance: 0.04, Counts: 158.03}, {Distance: 0.05, Counts: 120},
	{Distance: 0.06, Counts: 104.09}, {Distance: 0.07, Counts: 67.19},
}

// facing gives readings of one sensor of a varied robot at distances from a wall, offset taken off.
func facing(seed uint64, sensor int, distances []float64, from int64) (out []ir.Point) {
	eyes := physics.NewEyes(noise.New(seed), false)
	eyes.Vary(0.2, noise.New(seed).Named("variation"))
	scene := physics.NewScene([]geom.Shape{geom.NewBox(geom.Vec{X: 1.5}, geom.Vec{X: 1, Y: 4}, 0, 0.1)}, nil, 1)
	s := physics.Sensors()[sensor]
	var ambient, delta [8]uint16
	for k, d := range distances {
		at := geom.Vec{X: 1 - d}
		turn := geom.Direction(-s.Heading)
		middle := at.Sub(s.Position.Rotate(turn))
		eyes.Measure(scene, geom.Pose{X: middle.X, Y: middle.Y, Theta: -s.Heading}, nil, false, from+int64(k), &ambient, &delta)
		out = append(out, ir.Point{Distance: d, Counts: max(float64(delta[sensor])-math.Round(eyes.Offset(sensor)), 0)})
	}
	return out
}

// TestVariedSensors: on readings that the fit has not seen, the error within 40 mm is at most half of the usual
// curve's.
func TestVariedSensors(t *testing.T) {
	var learn, check []float64
	for _, d := range []float64{9, 11, 13, 16, 20, 25, 30, 35, 40, 50, 60} {
		for range 3 {
			learn = append(learn, d/1000)
		}
	}
	for d := 0.0095; d < 0.040; d += 0.0007 {
		check = append(check, d)
	}
	var before, after float64
	for seed := range uint64(8) {
		for sensor := range 8 {
			res, err := ir.Fit(facing(seed, sensor, learn, 0), nominal)
			if err != nil {
				t.Errorf("seed %d, sensor %d: %v", seed, sensor, err)
				continue
			}
			for _, p := range facing(seed, sensor, check, 1000) {
				d := min(nominal.Distance(p.Counts), ir.Near) - p.Distance
				e := min(res.Curve.Distance(p.Counts), ir.Near) - p.Distance
				before, after = before+d*d, after+e*e
			}
		}
	}
	n := float64(64 * len(check))
	before, after = math.Sqrt(before/n), math.Sqrt(after/n)
	t.Logf("%.2f mm with the usual curve, %.2f mm with each sensor's own", 1000*before, 1000*after)
	if after > before/2 {
		t.Errorf("%.2f mm, before %.2f", 1000*after, 1000*before)
	}
}

// TestCurvesFall: whatever the readings, the driver can use the curve.
func TestCurvesFall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s []ir.Point
		for range rapid.IntRange(6, 60).Draw(t, "n") {
			s = append(s, ir.Point{Distance: rapid.Float64Range(0, 0.07).Draw(t, "d"), Counts: float64(rapid.IntRange(0, 4095).Draw(t, "c"))})
		}
		res, err := ir.Fit(s, nominal)
		if err != nil {
			if !errors.Is(err, ir.ErrData) {
				t.Fatal(err)
			}
			return
		}
		for i, p := range res.Curve {
			if p.Distance != nominal[i].Distance || p.Counts < 0 || p.Counts > 65535 || i > 0 && p.Counts >= res.Curve[i-1].Counts {
				t.Fatalf("point %d of %v", i, res.Curve)
			}
		}
	})
}

func TestBadReadings(t *testing.T) {
	good := facing(1, 0, []float64{0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05}, 0)
	for name, s := range map[string][]ir.Point{
		"none": nil, "one place": slices.Repeat(good[:1], 20), "dark": {{0.01, 0}, {0.015, 0}, {0.02, 0}, {0.03, 0}, {0.04, 0}, {0.05, 0}, {0.06, 0}},
		"not a number": append(slices.Clone(good), ir.Point{Distance: math.NaN()}), "negative": append(slices.Clone(good), ir.Point{Counts: -1}),
	} {
		if res, err := ir.Fit(s, nominal); !errors.Is(err, ir.ErrData) {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
	if _, err := ir.Fit(good, ir.Curve{{0, 1}, {1, 2}}); !errors.Is(err, ir.ErrData) {
		t.Error(err)
	}
}

func ExampleCurve_Distance() {
	fmt.Printf("%.3f m\n", nominal.Distance(300))
	// Output: 0.026 m
}
