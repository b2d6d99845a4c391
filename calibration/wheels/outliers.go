// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// rejectAt is the significance level of the outlier test, over all runs together.
const rejectAt = 0.005

// minKept is the share of the runs that must remain.
const minKept = 0.6

// reject removes, one after another, the runs whose deviation from a fit to the others is significant; and pairs of
// runs, each of which masks the other. It uses the linearized problem.
func (f *fit) reject() error {
	n := len(f.runs)
	for {
		var left []int
		for i, u := range f.used {
			if u {
				left = append(left, i)
			}
		}
		out := f.worst(left)
		if out == nil {
			return nil
		}
		for _, i := range out {
			f.used[i] = false
		}
		if float64(len(left)-len(out)) < minKept*float64(n) {
			return fmt.Errorf("%w: more than %.0f %% of the runs do not fit the others: the floor is slippery, or ends were mixed up",
				errData, 100*(1-minKept))
		}
	}
}

// worst returns the run, or the two, that deviate significantly from the others; nil if there are none.
func (f *fit) worst(left []int) []int {
	var single, pair []int
	p1, p2 := 1.0, 1.0
	for a, i := range left {
		if q := f.pValue(i); q < p1 {
			single, p1 = []int{i}, q
		}
		for _, k := range left[:a] {
			if q := f.pValue(i, k); q < p2 {
				pair, p2 = []int{i, k}, q
			}
		}
	}
	n := float64(len(left))
	switch {
	case len(left) > 3 && p1*n < rejectAt:
		return single
	case len(left) > 5 && p2*n*(n-1)/2 < rejectAt:
		return pair
	}
	return nil
}

// pValue returns the probability that runs which fit the model deviate from a fit to the others at least as far as
// these do.
func (f *fit) pValue(out ...int) float64 {
	for _, i := range out {
		f.used[i] = false
		defer func() { f.used[i] = true }()
	}
	l, err := f.slipOf()
	freedom := f.freedom()
	if err != nil || freedom < 2 {
		return 1
	}
	d2, rows := 0.0, 0
	for _, i := range out {
		d2 += squares(whiten(f.predicted(i, l), f.near[i].at(l.x)))
		rows += f.runs[i].rows()
	}
	return 1 - distuv.F{D1: float64(rows), D2: float64(freedom)}.CDF(d2/float64(rows))
}

// predicted returns the covariance of the difference of a run that was not used for the geometry: its own plus the
// geometry's.
func (f *fit) predicted(i int, l linear) [][]float64 {
	c, n := f.runs[i].covariance(f.spread[i], f.read, l.slip), &f.near[i]
	for a := range c {
		for b := range c {
			for k := range 3 {
				for m := range 3 {
					c[a][b] += n.jac[k][a] * l.cov.At(k, m) * n.jac[m][b]
				}
			}
		}
	}
	return c
}

// judge returns a run's deviation from the estimated geometry.
func (f *fit) judge(i int) Outlier {
	r := &f.runs[i]
	d := r.difference(f.at)
	o := Outlier{Run: r.Name, Sigmas: f.mahalanobis(i, f.at)}
	if r.Position {
		o.Off = math.Hypot(d[0], d[1])
	}
	if r.Heading {
		o.Heading = math.Abs(d[len(d)-1])
	}
	p := f.at.End(r.Turns)
	o.OtherWay = r.Kind == CCW && p.Theta < 0 || r.Kind == CW && p.Theta > 0
	return o
}

// result returns the result of the estimation. It fails if a measure has a standard deviation above 5 %.
func (f *fit) result(o Options) (*Result, error) {
	res := &Result{Geometry: f.at, Covariance: f.cov, Slip: f.slip, Freedom: -3}
	var before, after, n float64
	var used []Run
	for i := range f.runs {
		if !f.used[i] {
			res.Outliers = append(res.Outliers, f.judge(i))
			continue
		}
		res.Used = append(res.Used, f.judge(i))
		res.Freedom += f.runs[i].rows()
		used = append(used, f.runs[i])
		if f.runs[i].Position {
			d, e := f.runs[i].difference(o.Start), f.runs[i].difference(f.at)
			before, after, n = before+d[0]*d[0]+d[1]*d[1], after+e[0]*e[0]+e[1]*e[1], n+1
		}
	}
	if n > 0 {
		res.Before, res.After = math.Sqrt(before/n), math.Sqrt(after/n)
	}
	res.QualityBefore, res.QualityAfter = quality(used, o.Start), quality(used, f.at)
	for i, what := range []string{"left radius", "right radius", "wheel distance"} {
		if s := math.Sqrt(f.cov[4*i]); !(s < 0.05) {
			return nil, fmt.Errorf("%w: the runs determine the %s to %.1f %% only: add straight runs and turns", errData, what, 100*s)
		}
	}
	return res, nil
}
