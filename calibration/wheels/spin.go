// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// SpinReading is a reading of an infrared sensor while the robot turns on the spot.
type SpinReading struct {
	// Angle is the right wheel's angle less the left wheel's, rad.
	Angle float64
	// Value is the reading, in any unit.
	Value float64
}

// SpinResult is the result of [Spin].
type SpinResult struct {
	// DistanceOverRadius is the wheel distance over the mean radius: the change of SpinReading.Angle, rad, per radian
	// of the robot's rotation.
	DistanceOverRadius float64
	// Interval is the half width of its 95 % confidence interval.
	Interval float64
	// Turns is the number of full turns of the robot.
	Turns float64
	// Repeats is the autocorrelation of the readings after one turn, at most 1.
	Repeats float64
}

const (
	spinHarmonics = 12   // of the Fourier series of one turn's readings
	spinRange     = 0.15 // largest relative deviation of the quotient from the nominal one
	minRepeats    = 0.6
)

// Spin estimates the quotient of wheel distance and radius from a robot that turns on the spot near a wall: the
// readings repeat after exactly one turn. nominal is the expected quotient, within 15 %. At least two turns are
// needed; five determine it to about 0.1 %. The error has the number that is insufficient: samples, turns, or the
// autocorrelation.
func Spin(samples []SpinReading, nominal float64) (*SpinResult, error) {
	if len(samples) < 100 || !(nominal > 0) {
		return nil, fmt.Errorf("%w: %d samples, at least 100 are needed", errData, len(samples))
	}
	first, last := samples[0].Angle, samples[len(samples)-1].Angle
	turns := math.Abs(last-first) / (2 * math.Pi * nominal)
	if turns < 2 {
		return nil, fmt.Errorf("%w: %.1f turns, at least 2 are needed", errData, turns)
	}
	cost := func(q float64) float64 { return fold(samples, q, nil) }
	// The pattern is as narrow as the sensor's cone, so the search starts with much smaller steps.
	best, at := math.Inf(1), 0.0
	step := 0.02 / turns
	for q := nominal * (1 - spinRange); q <= nominal*(1+spinRange); q += nominal * step {
		if c := cost(q); c < best {
			best, at = c, q
		}
	}
	lo, hi := at-nominal*step, at+nominal*step
	for range 50 { // golden section
		const g = 0.6180339887498949
		a, b := hi-g*(hi-lo), lo+g*(hi-lo)
		if cost(a) < cost(b) {
			hi = b
		} else {
			lo = a
		}
	}
	q := (lo + hi) / 2
	res := &SpinResult{DistanceOverRadius: q, Turns: math.Abs(last-first) / (2 * math.Pi * q)}
	res.Repeats = autocorrelation(samples, 2*math.Pi*q)
	if res.Repeats < minRepeats {
		return nil, fmt.Errorf("%w: the readings of successive turns correlate by %.2f only, want %.1f: no wall within reach, or it moved", errData, res.Repeats, minRepeats)
	}
	if q < nominal*(1-spinRange)*1.005 || q > nominal*(1+spinRange)*0.995 {
		return nil, fmt.Errorf("%w: the best quotient is at the end of the range, %.3f", errData, q)
	}
	freedom := len(samples) - 2*spinHarmonics - 2
	h := nominal * step / 10
	curvature := (cost(q+h) - 2*cost(q) + cost(q-h)) / (h * h)
	s2 := cost(q) / float64(freedom)
	if !(curvature > 0) {
		return nil, fmt.Errorf("%w: the readings do not show the turn", errData)
	}
	// Successive residuals are correlated (the harmonics do not describe the pattern exactly), which increases the
	// variance.
	res.Interval = math.Sqrt(2*s2/curvature*correlationLength(samples, q)) * quantile(freedom)
	return res, nil
}

// fold fits a periodic function (a Fourier series) to the readings for a quotient q and returns the residual sum of
// squares; residuals, if not nil, receives the residuals.
func fold(samples []SpinReading, q float64, residuals []float64) float64 {
	const n = 2*spinHarmonics + 1
	var ata [n][n]float64
	var atb, row [n]float64
	sum := 0.0
	fill := func(s SpinReading) {
		sin, cos := math.Sincos(s.Angle / q)
		row[0], row[1], row[2] = 1, cos, sin
		for k := 3; k < n; k += 2 {
			row[k], row[k+1] = row[k-2]*cos-row[k-1]*sin, row[k-1]*cos+row[k-2]*sin
		}
	}
	for _, s := range samples {
		fill(s)
		for i := range n {
			atb[i] += row[i] * s.Value
			for j := i; j < n; j++ {
				ata[i][j] += row[i] * row[j]
			}
		}
		sum += s.Value * s.Value
	}
	a, b, x := mat.NewSymDense(n, nil), mat.NewVecDense(n, atb[:]), mat.NewVecDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, ata[i][j])
		}
	}
	var c mat.Cholesky
	if !c.Factorize(a) || c.SolveVecTo(x, b) != nil {
		return math.Inf(1)
	}
	for i, s := range samples {
		if residuals == nil {
			break
		}
		fill(s)
		residuals[i] = s.Value
		for k := range n {
			residuals[i] -= row[k] * x.AtVec(k)
		}
	}
	return max(sum-mat.Dot(x, b), 0)
}

// correlationLength returns the number of samples per independent one: 1 + 2·Σ of the residuals' autocorrelation, up
// to the lag at which it is lost in noise.
func correlationLength(samples []SpinReading, q float64) float64 {
	r := make([]float64, len(samples))
	fold(samples, q, r)
	c0 := squares(r)
	if c0 == 0 {
		return 1
	}
	total := 1.0
	for lag := 1; lag < len(r)/10; lag++ {
		c := dot(r[lag:], r[:len(r)-lag]) / c0
		if c < 2/math.Sqrt(float64(len(r))) {
			break
		}
		total += 2 * c
	}
	return total
}

// autocorrelation returns the correlation of the readings with those one turn later, by linear interpolation.
func autocorrelation(samples []SpinReading, turn float64) float64 {
	dir := 1.0
	if samples[len(samples)-1].Angle < samples[0].Angle {
		dir = -1
	}
	var a, b []float64
	k := 0
	for _, s := range samples {
		want := dir*s.Angle + turn
		for k+1 < len(samples) && dir*samples[k+1].Angle < want {
			k++
		}
		if k+1 >= len(samples) {
			break
		}
		lo, hi := dir*samples[k].Angle, dir*samples[k+1].Angle
		if hi <= lo {
			continue
		}
		u := (want - lo) / (hi - lo)
		a, b = append(a, s.Value), append(b, samples[k].Value*(1-u)+samples[k+1].Value*u)
	}
	center(a)
	center(b)
	if d := math.Sqrt(squares(a) * squares(b)); d > 0 {
		return dot(a, b) / d
	}
	return 0
}

func center(v []float64) {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	for i := range v {
		v[i] -= sum / float64(len(v))
	}
}
