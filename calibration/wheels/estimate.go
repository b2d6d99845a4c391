// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/epuck-ros2/epuck-driver/calibration/lm"
)

// Reading is the accuracy of the measured ends: standard deviations, m and rad.
type Reading struct{ Position, Heading float64 }

// Options of [Estimate]. A zero field means its default.
type Options struct {
	// Start is the geometry with which the robot was driven. It defaults to the nominal one.
	Start Geometry
	// Side of the squares, m, for the closed form. It defaults to 0.3.
	Side float64
	// Reading defaults to 1 mm and 0.5°.
	Reading Reading
}

func (o Options) withDefaults() Options {
	if o.Start == (Geometry{}) {
		o.Start = Nominal()
	}
	if o.Side == 0 {
		o.Side = 0.3
	}
	if o.Reading.Position == 0 {
		o.Reading.Position = 0.001
	}
	if o.Reading.Heading == 0 {
		o.Reading.Heading = 0.5 * math.Pi / 180
	}
	return o
}

// Outlier is a run that does not fit the others.
type Outlier struct {
	Run      string
	Off      float64 // m between the measured end and the one computed from the wheels
	Heading  float64 // rad between the headings
	Sigmas   float64 // the deviation in standard deviations
	OtherWay bool    // it was driven in the opposite direction to its kind
}

// Result is the result of [Estimate].
type Result struct {
	Geometry Geometry
	// Covariance of the relative errors of left radius, right radius and distance, row-major.
	Covariance [9]float64
	// Slip is the standard deviation of a wheel's path after 1 m, m; 0 if the accuracy of the readings explains all
	// deviations.
	Slip float64
	// Freedom is the number of degrees of freedom: of measured values less that of parameters.
	Freedom int
	// Used are the runs that were used, Outliers those that were rejected.
	Used, Outliers []Outlier
	// Before and After are the root mean square distances of the used runs' computed ends from the measured ones, m,
	// with the old and with the new geometry; QualityBefore and QualityAfter are UMBmark's figures, m.
	Before, After, QualityBefore, QualityAfter float64
}

// Interval returns the half width of the 95 % confidence interval of a linear combination of the relative errors:
// {1,0,0} for the left radius, {−1,1,0} for the ratio, {0,0,1} for the distance.
func (r *Result) Interval(by [3]float64) float64 {
	v := 0.0
	for i := range 3 {
		for j := range 3 {
			v += by[i] * r.Covariance[3*i+j] * by[j]
		}
	}
	return math.Sqrt(max(v, 0)) * quantile(r.Freedom)
}

// quantile returns the two-sided 95 % quantile of Student's t distribution.
func quantile(freedom int) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(max(freedom, 1))}.Quantile(0.975)
}

// Estimate finds the geometry from runs. It fails if Options.Start or a run is invalid (the error names the run), if
// there are fewer than four measured values, or if too many runs contradict the others. The error matches lm.ErrWeak if
// they do not determine all three measures: squares need a straight run in addition, or turns on the spot.
func Estimate(runs []Run, o Options) (*Result, error) {
	o = o.withDefaults()
	if err := o.Start.check(); err != nil {
		return nil, err
	}
	rows := 0
	for i := range runs {
		if err := runs[i].check(); err != nil {
			return nil, err
		}
		rows += runs[i].rows()
	}
	if rows < 4 {
		return nil, fmt.Errorf("%w: %d measured values, at least 4 are needed", errData, rows)
	}
	f := &fit{runs: runs, read: o.Reading, used: make([]bool, len(runs))}
	for i := range f.used {
		f.used[i] = true
	}
	if err := f.initialize(o); err != nil {
		return nil, err
	}
	if err := f.reject(); err != nil {
		return nil, err
	}
	for range 3 { // the slip is estimated on the linearized problem, the geometry on the nonlinear one
		l, err := f.slipOf()
		if err != nil {
			return nil, err
		}
		f.slip = l.slip
		if _, err := f.solve(nil); err != nil {
			return nil, err
		}
		f.linearize()
	}
	return f.result(o)
}

// fit is the state of an estimation.
type fit struct {
	runs   []Run
	used   []bool
	read   Reading
	at     Geometry
	slip   float64
	spread [][9]float64 // of each run, at the geometry of the last linearize, as near
	near   []near
	cov    [9]float64
}

// initialize computes a start from which the search converges: the closed form if there are squares, else the
// geometry with which the robot was driven. Runs may be outliers, so the sum of absolute rather than squared
// distances selects one of the two.
func (f *fit) initialize(o Options) error {
	f.at = o.Start
	f.linearize()
	if closed, err := umBmark(f.runs, o.Start, o.Side); err == nil && f.absolute(closed) < f.absolute(o.Start) {
		f.at = closed
	}
	f.slip = 0.003 // large, so that no single run dominates
	if err := f.robust(); err != nil {
		return err
	}
	f.linearize()
	return nil
}

func (f *fit) absolute(g Geometry) float64 {
	sum := 0.0
	for i := range f.runs {
		sum += math.Sqrt(squares(f.runs[i].difference(g)))
	}
	return sum
}

func squares(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return sum
}

// solve searches from the current geometry with the current slip; weight, if not nil, multiplies each run's
// residuals.
func (f *fit) solve(weight []float64) (*lm.Result, error) {
	rows, base := 0, f.at
	cov := make([][][]float64, len(f.runs))
	for i := range f.runs {
		if f.used[i] {
			rows += f.runs[i].rows()
			cov[i] = f.runs[i].covariance(f.spread[i], f.read, f.slip)
		}
	}
	res, err := lm.Solve(lm.Problem{N: 3, M: rows, Residuals: func(x, r []float64) {
		g, at := base.scaled(x), 0
		for i := range f.runs {
			if !f.used[i] {
				continue
			}
			for _, v := range whiten(cov[i], f.runs[i].difference(g)) {
				if r[at] = v; weight != nil {
					r[at] *= weight[i]
				}
				at++
			}
		}
	}}, make([]float64, 3), lm.Options{Tolerance: 1e-10, MaxIterations: 200})
	if err != nil {
		return nil, fmt.Errorf("wheels: %w", err)
	}
	g := base.scaled(res.X)
	if err := g.check(); err != nil {
		return nil, err
	}
	f.at = g
	for i := range 3 {
		for j := range 3 {
			f.cov[3*i+j] = res.Covariance.At(i, j)
		}
	}
	return res, nil
}

// robust iterates with Cauchy weights, which reduce the influence of outliers.
func (f *fit) robust() error {
	weight := make([]float64, len(f.runs))
	for i := range weight {
		weight[i] = 1
	}
	for range 8 {
		if _, err := f.solve(weight); err != nil {
			return err
		}
		var d []float64
		for i := range f.runs {
			d = append(d, f.mahalanobis(i, f.at))
		}
		scale := max(median(d)/1.18, 0.3) // 1.18: the median of the norm of two standard normal variables
		for i := range weight {
			weight[i] = 1 / math.Sqrt(1+d[i]*d[i]/(2*scale*scale))
		}
	}
	return nil
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	if len(s)%2 == 1 {
		return s[len(s)/2]
	}
	return (s[len(s)/2-1] + s[len(s)/2]) / 2
}

// mahalanobis returns the distance of a run's measured end from the computed one, in standard deviations.
func (f *fit) mahalanobis(i int, g Geometry) float64 {
	r := &f.runs[i]
	return math.Sqrt(squares(whiten(r.covariance(f.spread[i], f.read, f.slip), r.difference(g))))
}
