// SPDX-License-Identifier: Apache-2.0

package imu_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/calibration/imu"
)

// What follows knows the truth: sensors are simulated here by plain matrices, without the robot's simulation, and the
// estimators have to find them again.

// sensor measures M·v + b with noise.
type sensor struct {
	m     imu.Matrix
	b     imu.Vec
	sigma float64
	rng   *rand.Rand
}

func (s *sensor) measure(v imu.Vec) (out imu.Vec) {
	for i := range 3 {
		out[i] = s.b[i] + s.sigma*s.rng.NormFloat64()
		for j := range 3 {
			out[i] += s.m[3*i+j] * v[j]
		}
	}
	return out
}

// skewed makes a sensor whose scales and axes are off by up to a share, and its bias by up to a value.
func skewed(rng *rand.Rand, share, bias, sigma float64) *sensor {
	s := &sensor{m: imu.Identity(), sigma: sigma, rng: rng}
	for i := range s.m {
		s.m[i] += share * (2*rng.Float64() - 1)
	}
	for i := range s.b {
		s.b[i] = bias * (2*rng.Float64() - 1)
	}
	return s
}

// up is the force in each position.
var up = map[imu.Face]imu.Vec{
	imu.XUp: {9.80665, 0, 0}, imu.XDown: {-9.80665, 0, 0}, imu.YUp: {0, 9.80665, 0},
	imu.YDown: {0, -9.80665, 0}, imu.ZUp: {0, 0, 9.80665}, imu.ZDown: {0, 0, -9.80665},
}

// rest measures all six positions, n times each.
func (s *sensor) rest(n int) map[imu.Face]imu.Mean {
	out := map[imu.Face]imu.Mean{}
	for face, force := range up {
		var all []imu.Vec
		for range n {
			all = append(all, s.measure(force))
		}
		out[face] = imu.Average(all)
	}
	return out
}

// inside counts how often an error is within so many of its standard deviations.
type inside struct{ one, three, all int }

func (n *inside) add(err, sigma float64) {
	n.all++
	if math.Abs(err) <= sigma {
		n.one++
	}
	if math.Abs(err) <= 3*sigma {
		n.three++
	}
}

// check wants what a normal number does: 68 % within one standard deviation, 99.7 % within three. A standard deviation
// may be too large by a third (many are found from few values), not too small.
func (n *inside) check(t *testing.T, what string) {
	t.Helper()
	one, three := float64(n.one)/float64(n.all), float64(n.three)/float64(n.all)
	if one < 0.60 || one > 0.85 || three < 0.97 {
		t.Errorf("%s: %.0f %% within one standard deviation, %.1f %% within three (of %d)", what, 100*one, 100*three, n.all)
	}
}

// TestAccelerometerKnowsItsErrors: over many sensors, bias and matrix are as far from the truth as the result says.
func TestAccelerometerKnowsItsErrors(t *testing.T) {
	var bias, scale inside
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		s := skewed(rng, 0.03, 0.5, 0.05)
		res, err := imu.Accelerometer(s.rest(50))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			bias.add(res.Correction.Bias[i]-s.b[i], res.BiasSigma[i])
			for j := range 3 {
				var e imu.Vec
				e[j] = 1
				undone, err := imu.Correction{Matrix: res.Correction.Matrix}.Undo(e) // column j of what the sensor does
				if err != nil {
					t.Fatal(err)
				}
				scale.add(undone[i]-s.m[3*i+j], res.ScaleSigma[i])
			}
		}
	}
	bias.check(t, "bias")
	scale.check(t, "scale")
}

// TestAccelerometerExact: without noise the truth comes out, whatever the sensor, and nothing is left of the error.
func TestAccelerometerExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := skewed(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), 0.05, 0.8, 0)
		res, err := imu.Accelerometer(s.rest(2))
		if err != nil {
			t.Fatal(err)
		}
		if res.After > 1e-9 {
			t.Fatalf("%g m/s² are left", res.After)
		}
		v := imu.Vec{rapid.Float64Range(-20, 20).Draw(t, "x"), rapid.Float64Range(-20, 20).Draw(t, "y"), rapid.Float64Range(-20, 20).Draw(t, "z")}
		if got := res.Correction.Apply(s.measure(v)); math.Abs(got[0]-v[0])+math.Abs(got[1]-v[1])+math.Abs(got[2]-v[2]) > 1e-9 {
			t.Fatalf("%v comes out as %v", v, got)
		}
	})
}

// TestAccelerometerRefuses: each position is looked at, and the error names the one that is wrong.
func TestAccelerometerRefuses(t *testing.T) {
	nan := math.NaN()
	for name, bad := range map[string]imu.Vec{
		"askew": {9.3, 3.2, 0}, "another face": {0, 9.8, 0}, "half of it": {4, 0, 0}, "twice": {19.6, 0, 0},
		"nothing": {}, "no number": {nan, nan, nan}, "one no number": {9.8, nan, 0}, "without end": {math.Inf(1), 0, 0},
	} {
		s := &sensor{m: imu.Identity(), rng: rand.New(rand.NewPCG(1, 1))}
		positions := s.rest(1)
		positions[imu.XUp] = imu.Mean{Value: bad}
		if _, err := imu.Accelerometer(positions); !errors.Is(err, imu.ErrData) || !strings.Contains(err.Error(), `"nose up"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, missing := range imu.Faces() {
		positions := (&sensor{m: imu.Identity(), rng: rand.New(rand.NewPCG(1, 1))}).rest(1)
		delete(positions, missing)
		if _, err := imu.Accelerometer(positions); !errors.Is(err, imu.ErrData) || !strings.Contains(err.Error(), fmt.Sprintf("%q is missing", missing)) {
			t.Errorf("without %v: %v", missing, err)
		}
	}
}

// TestFaceOf: within 18° of an axis it is that face, whatever the length; between two faces it is none.
func TestFaceOf(t *testing.T) {
	if len(imu.Faces()) != 6 || len(up) != 6 {
		t.Fatal("there are six faces")
	}
	names := map[string]bool{}
	for _, f := range imu.Faces() {
		names[f.String()] = true
		for _, tilt := range []struct {
			degrees float64
			ok      bool
		}{{0, true}, {10, true}, {18, true}, {18.4, false}, {44, false}} {
			sin, cos := math.Sincos(tilt.degrees * math.Pi / 180)
			v := up[f]
			for i := range 3 { // turn it towards each of the other two axes
				if v[i] != 0 {
					continue
				}
				w := imu.Vec{v[0] * cos * 0.1, v[1] * cos * 0.1, v[2] * cos * 0.1}
				w[i] = 0.980665 * sin
				if got, ok := imu.FaceOf(w); ok != tilt.ok || ok && got != f {
					t.Errorf("%v, tilted by %g°: %v, %v", f, tilt.degrees, got, ok)
				}
			}
		}
	}
	if len(names) != 6 || imu.Face(6).String() != "face 6" {
		t.Errorf("names %v", names)
	}
	if _, ok := imu.FaceOf(imu.Vec{}); ok {
		t.Error("nothing has a face")
	}
}

// TestAverage: the mean, and how sure it is: the scatter of the mean itself over many tries.
func TestAverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var hits inside
	for range 400 {
		var all []imu.Vec
		for range 25 {
			all = append(all, imu.Vec{3 + 2*rng.NormFloat64(), -1 + 0.1*rng.NormFloat64(), 5})
		}
		m := imu.Average(all)
		hits.add(m.Value[0]-3, m.Sigma[0])
		hits.add(m.Value[1]+1, m.Sigma[1])
		if math.Abs(m.Value[2]-5) > 1e-12 || m.Sigma[2] > 1e-12 {
			t.Fatalf("what does not scatter: %v ± %v", m.Value[2], m.Sigma[2])
		}
	}
	hits.check(t, "mean")
	if m := imu.Average([]imu.Vec{{1, 2, 3}}); m.Value != (imu.Vec{1, 2, 3}) || m.Sigma != (imu.Vec{}) {
		t.Errorf("one sample: %+v", m)
	}
	if m := imu.Average(nil); m.Value != (imu.Vec{}) || m.Sigma != (imu.Vec{}) {
		t.Errorf("no sample: %+v", m)
	}
}

// spun makes turns that a gyroscope with a bias and a scale integrates.
func spun(rng *rand.Rand, bias imu.Vec, column imu.Vec, noise float64, angles ...float64) (turns []imu.Turn) {
	for _, a := range angles {
		turn := imu.Turn{Angle: a, Duration: math.Abs(a) + 1 + rng.Float64()}
		for i := range 3 {
			turn.Integral[i] = column[i]*a + bias[i]*turn.Duration + noise*rng.NormFloat64()
		}
		turns = append(turns, turn)
	}
	return turns
}

// TestGyroscopeKnowsItsErrors: bias and scale over many gyroscopes are as far from the truth as the result says.
func TestGyroscopeKnowsItsErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var bias, scale inside
	for range 400 {
		b := imu.Vec{0.02 * rng.NormFloat64(), 0.02 * rng.NormFloat64(), 0.02 * rng.NormFloat64()}
		column := imu.Vec{0.03 * rng.NormFloat64(), 0.03 * rng.NormFloat64(), 1 + 0.03*rng.NormFloat64()}
		res, err := imu.Gyroscope(spun(rng, b, column, 0.01, 6, -6, 12, -12, 3, -3, 9, -9, 6, -6, 12, -12, 5, -5, 8, -8))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			bias.add(res.Correction.Bias[i]-b[i], res.BiasSigma[i])
		}
		rate := imu.Vec{0.1, -0.2, 1} // any: what the sensor makes of it comes back
		undone, err := res.Correction.Undo(imu.Vec{0, 0, 1})
		if err != nil {
			t.Fatal(err)
		}
		scale.add(undone[2]-res.Correction.Bias[2]-column[2], res.ScaleSigma*column[2])
		got := res.Correction.Apply(imu.Vec{rate[0] + column[0]*rate[2] + b[0], rate[1] + column[1]*rate[2] + b[1], column[2]*rate[2] + b[2]})
		for i := range 3 {
			if math.Abs(got[i]-rate[i]) > 0.01 {
				t.Fatalf("%v comes out as %v", rate, got)
			}
		}
	}
	bias.check(t, "bias")
	scale.check(t, "scale")
}

// TestGyroscopeAtRest: a time at rest is a turn of no angle: it determines the bias, and has no share of an angle
// to be off by.
func TestGyroscopeAtRest(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	bias := imu.Vec{0.01, -0.02, 0.03}
	res, err := imu.Gyroscope(spun(rng, bias, imu.Vec{0, 0, 0.98}, 0, 6, -6, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if math.Abs(res.Correction.Bias[i]-bias[i]) > 1e-9 {
			t.Errorf("bias %v", res.Correction.Bias)
		}
	}
	if !(res.Before > 0.01 && res.Before < 0.1) || !(res.After < 1e-9) {
		t.Errorf("before %g, after %g", res.Before, res.After)
	}
}

// TestGyroscopeRefuses: what does not separate bias and scale, and what is no number, in any field.
func TestGyroscopeRefuses(t *testing.T) {
	good := func() []imu.Turn {
		return spun(rand.New(rand.NewPCG(1, 1)), imu.Vec{}, imu.Vec{0, 0, 1}, 0.001, 6, -6, 5, -5)
	}
	for name, change := range map[string]func(turns []imu.Turn) []imu.Turn{
		"none":               func([]imu.Turn) []imu.Turn { return nil },
		"two":                func(turns []imu.Turn) []imu.Turn { return turns[:2] },
		"one way":            func(turns []imu.Turn) []imu.Turn { return []imu.Turn{turns[0], turns[2], turns[0]} },
		"the other way":      func(turns []imu.Turn) []imu.Turn { return []imu.Turn{turns[1], turns[3], turns[1]} },
		"no duration":        func(turns []imu.Turn) []imu.Turn { turns[1].Duration = 0; return turns },
		"negative duration":  func(turns []imu.Turn) []imu.Turn { turns[1].Duration = -1; return turns },
		"duration no number": func(turns []imu.Turn) []imu.Turn { turns[1].Duration = math.NaN(); return turns },
		"endless duration":   func(turns []imu.Turn) []imu.Turn { turns[1].Duration = math.Inf(1); return turns },
		"angle no number":    func(turns []imu.Turn) []imu.Turn { turns[2].Angle = math.NaN(); return turns },
		"endless angle":      func(turns []imu.Turn) []imu.Turn { turns[2].Angle = math.Inf(1); return turns },
		"x no number":        func(turns []imu.Turn) []imu.Turn { turns[3].Integral[0] = math.NaN(); return turns },
		"x endless":          func(turns []imu.Turn) []imu.Turn { turns[3].Integral[0] = math.Inf(1); return turns },
		"z endless":          func(turns []imu.Turn) []imu.Turn { turns[3].Integral[2] = math.Inf(-1); return turns },
		"stands still":       func(turns []imu.Turn) []imu.Turn { return scaled(turns, 0) },
		"a third":            func(turns []imu.Turn) []imu.Turn { return scaled(turns, 0.3) },
		"three times":        func(turns []imu.Turn) []imu.Turn { return scaled(turns, 3) },
		"the wrong way":      func(turns []imu.Turn) []imu.Turn { return scaled(turns, -1) },
	} {
		if res, err := imu.Gyroscope(change(good())); !errors.Is(err, imu.ErrData) {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
}

func scaled(turns []imu.Turn, by float64) []imu.Turn {
	for i := range turns {
		turns[i].Integral[2] *= by
	}
	return turns
}

// sphere gives directions all around, flat ones on the floor.
func sphere(rng *rand.Rand, n int, field float64, flat bool) (all []imu.Vec) {
	for range n {
		v := imu.Vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		if flat {
			v[2] = 0
		}
		k := field / v.Norm()
		v = imu.Vec{v[0] * k, v[1] * k, v[2] * k}
		if flat {
			v[2] = -1.7 * field // the vertical part stays
		}
		all = append(all, v)
	}
	return all
}

// TestMagnetometerKnowsItsErrors: hard iron over many robots, turned all round and on the floor, is as far from the
// truth as the result says.
func TestMagnetometerKnowsItsErrors(t *testing.T) {
	for _, flat := range []bool{false, true} {
		var bias inside
		rng := rand.New(rand.NewPCG(11, 12))
		for range 60 {
			s := skewed(rng, 0, 30e-6, 0.2e-6)
			soft := 0.1 * (2*rng.Float64() - 1) // symmetric: the rest can't be distinguished from turning the robot
			s.m = imu.Matrix{1 + soft, soft / 2, 0, soft / 2, 1 - soft, 0, 0, 0, 1}
			var samples []imu.Vec
			for _, v := range sphere(rng, 150, 25e-6, flat) {
				samples = append(samples, s.measure(v))
			}
			res, err := imu.Magnetometer(samples)
			if err != nil {
				t.Fatal(err)
			}
			if res.Flat != flat || res.After > 0.3e-6 {
				t.Fatalf("flat %v: %+v", flat, res)
			}
			dims := 3
			if flat {
				dims = 2
				if res.Correction.Bias[2] != 0 || res.BiasSigma[2] != 0 || res.Correction.Matrix[8] != 1 || res.Correction.Matrix[2] != 0 || res.Correction.Matrix[6] != 0 {
					t.Fatalf("the vertical axis was changed: %+v", res.Correction)
				}
			}
			for i := range dims {
				bias.add(res.Correction.Bias[i]-s.b[i], res.BiasSigma[i])
			}
			// One volume for all: the field's length is that of the sensor on average.
			volume := math.Pow(1-soft*soft-soft*soft/4, 1/float64(dims))
			if math.Abs(res.Field/(25e-6*volume)-1) > 0.01 {
				t.Fatalf("field %g T, want %g", res.Field, 25e-6*volume)
			}
		}
		bias.check(t, fmt.Sprintf("hard iron, flat %v", flat))
	}
}

// TestMagnetometerRefuses: every way in which a turn can be too little, and samples that are no field.
func TestMagnetometerRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ball := sphere(rng, 100, 30e-6, false)
	arc := func(share float64) (all []imu.Vec) {
		for k := range 100 {
			sin, cos := math.Sincos(2 * math.Pi * share * float64(k) / 100)
			all = append(all, imu.Vec{30e-6 * cos, 30e-6 * sin, 40e-6})
		}
		return all
	}
	with := func(v imu.Vec) []imu.Vec { return append(append([]imu.Vec(nil), ball...), v) }
	for name, samples := range map[string][]imu.Vec{
		"none":           nil,
		"49":             ball[:49],
		"standing still": make([]imu.Vec, 100),
		"an arc of 60°":  arc(1.0 / 6),
		"no number":      with(imu.Vec{math.NaN(), 0, 0}),
		"endless":        with(imu.Vec{0, math.Inf(-1), 0}),
		"a tesla":        with(imu.Vec{0.8, 0.8, 0.8}),
	} {
		if res, err := imu.Magnetometer(samples); !errors.Is(err, imu.ErrData) {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
	if _, err := imu.Magnetometer(arc(1)); err != nil {
		t.Errorf("all the way round: %v", err)
	}
}

// TestUndoTurnsApplyRound: for any matrix that can be inverted; one that can't is an error, not a correction.
func TestUndoTurnsApplyRound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := skewed(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), 0.3, 10, 0)
		c := imu.Correction{Bias: s.b, Matrix: s.m}
		v := imu.Vec{rapid.Float64Range(-50, 50).Draw(t, "x"), 3, -7}
		raw, err := c.Undo(v)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Apply(raw); math.Abs(got[0]-v[0])+math.Abs(got[1]-v[1])+math.Abs(got[2]-v[2]) > 1e-8 {
			t.Fatalf("%v came back as %v", v, got)
		}
	})
	for name, m := range map[string]imu.Matrix{
		"nothing": {}, "a plane": {1, 0, 0, 0, 1, 0, 1, 1, 0}, "no number": {math.NaN(), 0, 0, 0, 1, 0, 0, 0, 1}, "endless": {math.Inf(1), 0, 0, 0, 1, 0, 0, 0, 1},
	} {
		if v, err := (imu.Correction{Matrix: m}).Undo(imu.Vec{1, 2, 3}); !errors.Is(err, imu.ErrData) {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
}

// A gyroscope that measures 1 % too much.
func ExampleGyroscope() {
	turns := []imu.Turn{
		{Angle: 6, Integral: imu.Vec{0, 0, 6.06}, Duration: 6}, {Angle: -6, Integral: imu.Vec{0, 0, -6.06}, Duration: 6},
		{Angle: 6, Integral: imu.Vec{0, 0, 6.06}, Duration: 6},
	}
	res, err := imu.Gyroscope(turns)
	fmt.Printf("%.3f rad/s %v\n", res.Correction.Apply(imu.Vec{0, 0, 1.01})[2], err)
	// Output: 1.000 rad/s <nil>
}
