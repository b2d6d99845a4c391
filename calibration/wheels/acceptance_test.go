// SPDX-License-Identifier: Apache-2.0

package wheels_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// outcome is what many robots gave.
type outcome struct {
	errors [3][]float64 // relative, of left radius, right radius, distance
	ratio  []float64
	// of distance over mean radius, and of the mean radius
	overRadius, radius []float64
	inside             int // intervals that hold the truth
	all                int
	gain               []float64 // return error of a 4 m way: before / after
	slip               []float64
}

// calibrateMany calibrates robots of many seeds, without the tag long fewer of them.
func calibrateMany(t *testing.T, seeds int, reading, slip float64, squares int, side float64) (o outcome) {
	if !suite.Long {
		seeds = 8
	}
	for seed := range uint64(seeds) {
		truth := varied(seed)
		r := newRobot(truth, slip, seed)
		runs := blur(r.protocol(squares, side), reading, rand.New(rand.NewPCG(seed, 7)))
		res, err := wheels.Estimate(runs, wheels.Options{Side: side, Reading: wheels.Reading{Position: max(reading, 0.0001)}})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, e := range errorsOf(res.Geometry, truth) {
			o.errors[i] = append(o.errors[i], math.Abs(e))
			var by [3]float64
			by[i] = 1
			o.all++
			if math.Abs(e) <= res.Interval(by) {
				o.inside++
			}
		}
		o.ratio = append(o.ratio, math.Abs(res.Geometry.Ratio()/truth.Ratio()-1))
		g := res.Geometry
		o.overRadius = append(o.overRadius, math.Abs(g.Distance/g.Radius()/truth.Distance*truth.Radius()-1))
		o.radius = append(o.radius, math.Abs(g.Radius()/truth.Radius()-1))
		o.slip = append(o.slip, res.Slip)
		before, after := returnError(truth, wheels.Nominal(), slip, seed), returnError(truth, res.Geometry, slip, seed)
		o.gain = append(o.gain, before/after)
	}
	return o
}

// returnError is how far from its start a robot is that believes to be back after 4 m: a square of 1 m. The way is none
// of those it was calibrated on.
func returnError(truth, believed wheels.Geometry, slip float64, seed uint64) float64 {
	r := newRobot(truth, slip, seed+1000)
	r.body.Place(geom.Pose{})
	r.square(believed, 1, 1)
	return r.body.Position().Norm()
}

func med(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}

// TestFiftyRobots: radii within ±1.5 % and distance within −3 %, ends known exactly: all three within 0.1 %, and the
// error of a 4 m way at least ten times smaller.
func TestFiftyRobots(t *testing.T) {
	o := calibrateMany(t, 50, 0, 0, 5, 0.3)
	for i, what := range []string{"left radius", "right radius", "distance"} {
		if m := med(o.errors[i]); m > 0.001 {
			t.Errorf("%s: median error %.3f %%", what, 100*m)
		}
		t.Logf("%s: median error %.4f %%, worst %.4f %%", what, 100*med(o.errors[i]), 100*slices.Max(o.errors[i]))
	}
	t.Logf("intervals that hold the truth: %d of %d; return error better by %.0f (median), %.0f (worst)", o.inside, o.all, med(o.gain), slices.Min(o.gain))
	if float64(o.inside) < 0.95*float64(o.all) {
		t.Errorf("%d of %d intervals hold the truth", o.inside, o.all)
	}
	if med(o.gain) < 10 {
		t.Errorf("the return error is %.1f times smaller", med(o.gain))
	}
}

// fewRobots is what fifty robots are held to (1, 0.95), and what the eight of the gate are, whose medians and shares
// vary more: three standard deviations of a share of 24 intervals in eight independent threes.
func fewRobots() (limit, share float64) {
	if !suite.Long {
		return 1.5, 0.8
	}
	return 1, 0.95
}

// TestReadings: with a ruler's 1 mm the intervals hold, and the ratios are known to what docs/howto/calibration.md
// says.
func TestReadings(t *testing.T) {
	o := calibrateMany(t, 50, 0.001, 0, 5, 0.3)
	share := float64(o.inside) / float64(o.all)
	t.Logf("left %.3f %%, right %.3f %%, distance %.3f %%, ratio %.4f %%; %.0f %% inside, return error better by %.0f",
		100*med(o.errors[0]), 100*med(o.errors[1]), 100*med(o.errors[2]), 100*med(o.ratio), 100*share, med(o.gain))
	few, least := fewRobots()
	if share < least || med(o.ratio) > few*0.0001 || med(o.errors[0]) > few*0.0015 || med(o.gain) < 10 {
		t.Error("worse than that")
	}
}

// TestSlip: 0.2 % of a side of 0.3 m, 1.1 mm after 1 m, which is found; the errors' root mean squares are not above
// what the table of standard deviations says for this protocol, and their medians are below.
func TestSlip(t *testing.T) {
	const slip = 0.0011
	o := calibrateMany(t, 50, 0.001, slip, 5, 0.3)
	share := float64(o.inside) / float64(o.all)
	t.Logf("left %.3f %%, right %.3f %%, distance %.3f %%, ratio %.3f %%; %.0f %% inside; slip %.2f mm after 1 m",
		100*med(o.errors[0]), 100*med(o.errors[1]), 100*med(o.errors[2]), 100*med(o.ratio), 100*share, 1000*med(o.slip))
	t.Logf("root mean squares: ratio %.3f %%, distance over radius %.3f %%, radius %.3f %%", 100*rms(o.ratio), 100*rms(o.overRadius), 100*rms(o.radius))
	if m := med(o.slip); math.Abs(m-slip) > 0.1*slip {
		t.Errorf("slip found: %g m after 1 m, want %g", m, slip)
	}
	few, least := fewRobots()
	if share < least || med(o.ratio) > few*0.0005 || med(o.overRadius) > few*0.0019 || med(o.radius) > few*0.0023 {
		t.Error("worse than that")
	}
	// The table's computation knows neither how far the wheels slip nor that they do; a fifth more is its sampling
	// error.
	if rms(o.ratio) > few*1.2*0.0005 || rms(o.overRadius) > few*1.2*0.0019 || rms(o.radius) > few*1.2*0.0023 {
		t.Error("above the table's standard deviations")
	}
}

func rms(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum / float64(len(v)))
}
