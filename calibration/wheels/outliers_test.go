// SPDX-License-Identifier: Apache-2.0

package wheels_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/calibration/lm"
	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// TestOutliersAreNamed: a run that was bumped, one typed in wrongly, one driven the other way; what is left is as exact
// as without them.
func TestOutliersAreNamed(t *testing.T) {
	seeds := uint64(10)
	if !suite.Long { // on an emulated processor
		seeds = 3
	}
	for seed := range seeds {
		truth := varied(seed)
		r := newRobot(truth, 0.0005, seed)
		runs := blur(r.protocol(5, 0.3), 0.001, rand.New(rand.NewPCG(seed, 3)))
		clean := must[*wheels.Result](t)(wheels.Estimate(runs, wheels.Options{}))
		if len(clean.Outliers) > 1 {
			t.Errorf("seed %d: %+v are outliers of good runs", seed, clean.Outliers)
		}
		spoiled := append([]wheels.Run(nil), runs...)
		spoiled[2].End.Y += 0.06 // bumped
		x := &spoiled[7].End.X
		*x = -*x - math.Copysign(0.05, *x) // sign forgotten, and at least 0.05 m off
		res := must[*wheels.Result](t)(wheels.Estimate(spoiled, wheels.Options{}))
		named := map[string]bool{}
		for _, o := range res.Outliers {
			named[o.Run] = true
		}
		if !named["ccw 2"] || !named["cw 4"] || len(named) > 3 {
			t.Errorf("seed %d: outliers %+v", seed, res.Outliers)
		}
		for i, e := range errorsOf(res.Geometry, truth) {
			if math.Abs(e) > 0.006 {
				t.Errorf("seed %d: measure %d is off by %.3f %%", seed, i, 100*e)
			}
		}
	}
}

func TestBadRuns(t *testing.T) {
	good := newRobot(wheels.Nominal(), 0, 1).protocol(1, 0.3)
	change := func(f func(r *wheels.Run)) []wheels.Run {
		runs := append([]wheels.Run(nil), good...)
		f(&runs[1])
		return runs
	}
	for _, c := range []struct {
		name string
		runs []wheels.Run
		want error
		text string
	}{
		{"none", nil, wheels.ErrData, "0 measured"},
		{"one", good[:1], wheels.ErrData, "2 measured"},
		{"not a number", change(func(r *wheels.Run) { r.End.X = math.NaN() }), wheels.ErrData, `"cw 1"`},
		{"no wheels", change(func(r *wheels.Run) { r.Turns = nil }), wheels.ErrData, `"cw 1"`},
		{"mad wheels", change(func(r *wheels.Run) { r.Turns = []wheels.Turn{{Left: math.Inf(1)}} }), wheels.ErrData, `"cw 1"`},
		{"nothing measured", change(func(r *wheels.Run) { r.Position = false }), wheels.ErrData, `"cw 1"`},
		{"far away", change(func(r *wheels.Run) { r.End.X = 1e9 }), wheels.ErrData, `"cw 1"`},
		{"straight runs only", []wheels.Run{good[2], good[3], good[2]}, wheels.ErrData, "wheel distance"},
	} {
		_, err := wheels.Estimate(c.runs, wheels.Options{})
		if err == nil || !errors.Is(err, c.want) && !errors.Is(err, lm.ErrWeak) {
			t.Errorf("%s: %v", c.name, err)
		} else if !errors.Is(err, lm.ErrWeak) && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %q", c.name, err, c.text)
		}
	}
}

// TestMostRunsSpoiled: no majority agrees, so nothing is claimed.
func TestMostRunsSpoiled(t *testing.T) {
	runs := newRobot(wheels.Nominal(), 0, 1).protocol(5, 0.3)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range runs {
		if i%3 != 0 {
			runs[i].End.X, runs[i].End.Y = rng.Float64()-0.5, rng.Float64()-0.5
		}
	}
	res, err := wheels.Estimate(runs, wheels.Options{})
	if err == nil && res.Interval([3]float64{0, 0, 1}) < 0.02 && res.Interval([3]float64{1, 0, 0}) < 0.02 {
		t.Errorf("claims %+v", res)
	}
}

// TestStraightAndTurns is the simple protocol: straight runs, and turns on the spot of which the heading is measured.
func TestStraightAndTurns(t *testing.T) {
	truth := varied(11)
	r, g := newRobot(truth, 0, 1), wheels.Nominal()
	var runs []wheels.Run
	for i := range 4 {
		runs = append(runs, r.run("straight", wheels.Straight, g, func() { r.forward(g, 1) }))
		sign, kind := float64(1-2*(i%2)), []wheels.Kind{wheels.TurnCCW, wheels.TurnCW}[i%2]
		turn := r.run("turn", kind, g, func() {
			for range 8 {
				r.turn(g, sign*math.Pi)
			}
		})
		turn.Position, turn.Heading = false, true
		turn.End.Theta = math.Remainder(turn.End.Theta, 2*math.Pi)
		runs = append(runs, turn)
	}
	res := must[*wheels.Result](t)(wheels.Estimate(runs, wheels.Options{}))
	for i, e := range errorsOf(res.Geometry, truth) {
		if math.Abs(e) > 0.001 {
			t.Errorf("measure %d is off by %.3f %%", i, 100*e)
		}
	}
}

// TestUMBmark: the closed form alone, to what the formulas of small angles give.
func TestUMBmark(t *testing.T) {
	n := wheels.Nominal()
	for _, c := range []struct {
		ratio, distance float64 // errors, shares
		wantE, wantB    float64
	}{{0.002, 0.002, 5e-5, 2e-4}, {0.01, 0.01, 1e-4, 2e-3}} {
		truth := wheels.FromRatio(n.Radius(), 1+c.ratio, n.Distance*(1+c.distance))
		runs := newRobot(truth, 0, 1).protocol(2, 0.3)
		got := must[wheels.Geometry](t)(wheels.UMBmark(runs, n, 0.3))
		if e := math.Abs(got.Ratio()/truth.Ratio() - 1); e > c.wantE {
			t.Errorf("ratio off by %.4f %%", 100*e)
		}
		if e := math.Abs(got.Distance/got.Radius()/truth.Distance*truth.Radius() - 1); e > c.wantB {
			t.Errorf("distance off by %.4f %%", 100*e)
		}
	}
	if _, err := wheels.UMBmark(nil, n, 0.3); !errors.Is(err, wheels.ErrData) {
		t.Error(err)
	}
}
