// SPDX-License-Identifier: Apache-2.0

package ir

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/calibration/lm"
)

// ErrData is matched by errors about unusable readings.
var ErrData = errors.New("ir: bad data")

// Point is a distance, m, and the reading at that distance, counts.
type Point struct{ Distance, Counts float64 }

// Curve is a response curve: increasing distances, decreasing counts, linear in between.
type Curve []Point

// check returns an error that matches [ErrData] if the curve is invalid.
func (c Curve) check() error {
	if len(c) < 2 {
		return fmt.Errorf("%w: a curve of %d points", ErrData, len(c))
	}
	for i, p := range c {
		if !(p.Distance >= 0 && p.Counts >= 0) || i > 0 && !(p.Distance > c[i-1].Distance && p.Counts < c[i-1].Counts) {
			return fmt.Errorf("%w: point %d of the curve, %v", ErrData, i, p)
		}
	}
	return nil
}

// counts returns the reading at a distance (m); beyond the ends it is extrapolated.
func (c Curve) counts(d float64) float64 {
	i := 1
	for i < len(c)-1 && d > c[i].Distance {
		i++
	}
	a, b := c[i-1], c[i]
	return max(a.Counts+(d-a.Distance)/(b.Distance-a.Distance)*(b.Counts-a.Counts), 0)
}

// Distance returns the distance of a reading, m: the first point's if counts is not below it, +Inf if counts is below
// the last point's.
func (c Curve) Distance(counts float64) float64 {
	if counts >= c[0].Counts {
		return c[0].Distance
	}
	for i := 1; i < len(c); i++ {
		if a, b := c[i-1], c[i]; counts >= b.Counts {
			return a.Distance + (a.Counts-counts)/(a.Counts-b.Counts)*(b.Distance-a.Distance)
		}
	}
	return math.Inf(1)
}

// Result is the result of [Fit] for one sensor.
type Result struct {
	Curve Curve // at the distances of the nominal curve
	// Gain is the factor for the nominal curve's readings, Reach the factor for its distances, with their standard
	// deviations.
	Gain, Reach, GainSigma, ReachSigma float64
	// Before and After are the root mean square errors of the distances up to near with the nominal and with the
	// fitted curve, m.
	Before, After float64
	Samples       int
}

const (
	// near is the largest distance that is published as a range, m.
	near        = 0.040
	relative    = 0.04 // standard deviation of a reading: this share of it,
	absolute    = 3.0  // plus so many counts
	minPoints   = 6
	priorWeight = 3 // weight of the nominal shape at a knot, as a number of readings
)

// Fit fits a sensor's curve to readings. nominal is the datasheet's curve, whose shape is kept where there are no
// readings. The error matches [ErrData].
func Fit(samples []Point, nominal Curve) (*Result, error) {
	if err := nominal.check(); err != nil {
		return nil, err
	}
	var good []Point
	for _, s := range samples {
		if !(s.Distance >= 0 && s.Distance < 1) || !(s.Counts >= 0) {
			return nil, fmt.Errorf("%w: %v counts at %v m", ErrData, s.Counts, s.Distance)
		}
		if s.Counts < 4090 { // saturated readings carry no information
			good = append(good, s)
		}
	}
	lo, hi := math.Inf(1), 0.0
	for _, s := range good {
		lo, hi = min(lo, s.Distance), max(hi, s.Distance)
	}
	if len(good) < minPoints || hi-lo < 0.015 {
		return nil, fmt.Errorf("%w: %d readings from %.0f to %.0f mm; at least %d over 15 mm are needed", ErrData, len(good), 1000*lo, 1000*hi, minPoints)
	}
	res, err := lm.Solve(lm.Problem{N: 2, M: len(good), Step: 1e-5, Residuals: func(x, r []float64) {
		for i, s := range good {
			want := math.Exp(x[0]) * nominal.counts(s.Distance/math.Exp(x[1]))
			r[i] = (want - s.Counts) / (relative*s.Counts + absolute)
		}
	}}, []float64{0, 0}, lm.Options{Tolerance: 1e-8})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrData, err)
	}
	out := &Result{Gain: math.Exp(res.X[0]), Reach: math.Exp(res.X[1]), Samples: len(good)}
	if out.Gain < 0.2 || out.Gain > 5 || out.Reach < 0.4 || out.Reach > 2.5 {
		return nil, fmt.Errorf("%w: a gain of %.2f and a reach of %.2f: is it a white wall, and is the sensor free?", ErrData, out.Gain, out.Reach)
	}
	s2 := max(res.SSR/float64(max(len(good)-2, 1)), 0.01)
	out.GainSigma, out.ReachSigma = out.Gain*math.Sqrt(res.Covariance.At(0, 0)*s2), out.Reach*math.Sqrt(res.Covariance.At(1, 1)*s2)
	out.Curve = fitKnots(good, nominal, out.Gain, out.Reach)
	out.Before, out.After = rms(good, nominal), rms(good, out.Curve)
	return out, nil
}

// fitKnots returns the nominal curve with gain and reach, adjusted to the readings near each of its points.
func fitKnots(samples []Point, nominal Curve, gain, reach float64) Curve {
	model := func(d float64) float64 { return gain * nominal.counts(d/reach) }
	out := make(Curve, len(nominal))
	for k, p := range nominal {
		// Readings between the adjacent points determine how far the model deviates at this one.
		lo, hi := math.Inf(-1), math.Inf(1)
		if k > 0 {
			lo = nominal[k-1].Distance
		}
		if k < len(nominal)-1 {
			hi = nominal[k+1].Distance
		}
		sum, weight := 0.0, float64(priorWeight)
		for _, s := range samples {
			w := 0.0
			switch {
			case s.Distance >= p.Distance && s.Distance < hi:
				w = 1 - (s.Distance-p.Distance)/(min(hi, 1)-p.Distance)
			case s.Distance < p.Distance && s.Distance > lo:
				w = 1 - (p.Distance-s.Distance)/(p.Distance-max(lo, 0))
			}
			if m := model(s.Distance); w > 0 && m > 10*absolute && s.Counts > 0 {
				sum, weight = sum+w*math.Log(s.Counts/m), weight+w
			}
		}
		out[k] = Point{p.Distance, min(model(p.Distance), 4095) * math.Exp(sum/weight)}
	}
	return decreasing(out)
}

// decreasing makes a curve strictly decreasing: values that are not are replaced by their mean (pool adjacent
// violators), and equal ones are separated by half a count.
func decreasing(c Curve) Curve {
	type pool struct{ sum, n float64 }
	var pools []pool
	for _, p := range c {
		pools = append(pools, pool{p.Counts, 1})
		for len(pools) > 1 {
			a, b := pools[len(pools)-2], pools[len(pools)-1]
			if a.sum/a.n > b.sum/b.n {
				break
			}
			pools = append(pools[:len(pools)-2], pool{a.sum + b.sum, a.n + b.n})
		}
	}
	out, at := slices.Clone(c), 0
	for _, p := range pools {
		for range int(p.n) {
			out[at].Counts = p.sum / p.n
			at++
		}
	}
	out[len(out)-1].Counts = max(out[len(out)-1].Counts, 1)
	for i := len(out) - 2; i >= 0; i-- {
		out[i].Counts = max(out[i].Counts, out[i+1].Counts+0.5)
	}
	return out
}

// rms returns the root mean square error of the distances up to near, m. A reading below the curve's last point
// counts as near.
func rms(samples []Point, c Curve) float64 {
	sum, n := 0.0, 0.0
	for _, s := range samples {
		if s.Distance <= near {
			d := min(c.Distance(s.Counts), near) - s.Distance
			sum, n = sum+d*d, n+1
		}
	}
	if n == 0 {
		return 0
	}
	return math.Sqrt(sum / n)
}
