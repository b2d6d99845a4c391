// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/epuck-ros2/epuck-driver/calibration/lm"
)

// Reading is how exactly the ends were measured: standard deviations, m and rad.
type Reading struct{ Position, Heading float64 }

// Options of [Estimate]. A zero field means its default.
type Options struct {
	// Start is the geometry the robot was driven with. It defaults to the drawing's.
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
	Off      float64 // m between its end and where its wheels say, without this run's say
	Heading  float64 // rad, the same
	Sigmas   float64 // how many standard deviations that is
	OtherWay bool    // it was driven the other way round than its kind says
}

// Result is what [Estimate] found.
type Result struct {
	Geometry Geometry
	// Covariance of the relative errors of left radius, right radius and distance, row-major.
	Covariance [9]float64
	// Slip is the standard deviation of a wheel's way after 1 m, m; 0: the readings' errors explain all.
	Slip float64
	// Freedom is the number of measured values less that of parameters; Student's t has it.
	Freedom int
	// Used are the runs that counted, Outliers those that did not.
	Used, Outliers []Outlier
	// Before and After are the root mean squares of the used runs' distance from their ends, m, with the old geometry
	// and with the new one; QualityBefore and QualityAfter UMBmark's figures, m.
	Before, After, QualityBefore, QualityAfter float64
}

// Interval is the half width of the 95 % confidence interval of a derivative of the relative errors: {1,0,0} for the
// left radius, {−1,1,0} for the ratio, {0,0,1} for the distance.
func (r *Result) Interval(by [3]float64) float64 {
	v := 0.0
	for i := range 3 {
		for j := range 3 {
			v += by[i] * r.Covariance[3*i+j] * by[j]
		}
	}
	return math.Sqrt(max(v, 0)) * quantile(r.Freedom)
}

// quantile is that of Student's t which 95 % do not exceed in either direction.
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
	f := &fit{runs: runs, read: o.Reading, use: make([]bool, len(runs))}
	for i := range f.use {
		f.use[i] = true
	}
	if err := f.begin(o); err != nil {
		return nil, err
	}
	if err := f.reject(); err != nil {
		return nil, err
	}
	for range 3 { // the slip is found on the linear problem, the geometry on the true one
		l, err := f.slipOf()
		if err != nil {
			return nil, err
		}
		f.slip = l.slip
		if _, err := f.solve(nil); err != nil {
			return nil, err
		}
		f.renew()
	}
	return f.result(o)
}

// fit is an estimation under way.
type fit struct {
	runs   []Run
	use    []bool
	read   Reading
	at     Geometry
	slip   float64
	spread [][9]float64 // of each run, at the geometry of the last renew, as the next
	near   []near
	cov    [9]float64
}

// begin finds a start from which the search converges: the closed form if there are squares, else what was driven with.
// Runs may be spoiled, so the sum of absolute rather than squared distances chooses between the two.
func (f *fit) begin(o Options) error {
	f.at = o.Start
	f.renew()
	if closed, err := umBmark(f.runs, o.Start, o.Side); err == nil && f.absolute(closed) < f.absolute(o.Start) {
		f.at = closed
	}
	f.slip = 0.003 // generous, so that no run counts for all
	if err := f.robust(); err != nil {
		return err
	}
	f.renew()
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

// solve searches from the present geometry with the present slip; weight, if not nil, damps each run's residuals.
func (f *fit) solve(weight []float64) (*lm.Result, error) {
	rows, base := 0, f.at
	cov := make([][][]float64, len(f.runs))
	for i := range f.runs {
		if f.use[i] {
			rows += f.runs[i].rows()
			cov[i] = f.runs[i].covariance(f.spread[i], f.read, f.slip)
		}
	}
	res, err := lm.Solve(lm.Problem{N: 3, M: rows, Residuals: func(x, r []float64) {
		g, at := base.scaled(x), 0
		for i := range f.runs {
			if !f.use[i] {
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

// robust searches with Cauchy's weights, which let a spoiled run count for little.
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
		scale := max(median(d)/1.18, 0.3) // 1.18: the median of two normal numbers' root of squares
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

// mahalanobis is how many standard deviations a run is from where its wheels say.
func (f *fit) mahalanobis(i int, g Geometry) float64 {
	r := &f.runs[i]
	return math.Sqrt(squares(whiten(r.covariance(f.spread[i], f.read, f.slip), r.difference(g))))
}
