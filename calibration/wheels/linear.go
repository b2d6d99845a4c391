// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/epuck-ros2/epuck-driver/calibration/lm"
)

// near is the linearization of a run's difference: d0 + jac·x for relative changes x.
type near struct {
	d0  []float64
	jac [3][]float64
}

func (n *near) at(x [3]float64) []float64 {
	d := append([]float64(nil), n.d0...)
	for k, col := range n.jac {
		for i := range d {
			d[i] += col[i] * x[k]
		}
	}
	return d
}

// linear is the solution of the linear problem.
type linear struct {
	x    [3]float64
	cov  *mat.SymDense
	ssr  float64 // weighted sum of squared residuals
	slip float64
}

// linearize computes the derivatives at the current geometry.
func (f *fit) linearize() {
	const h = 1e-6
	f.spread, f.near = f.spread[:0], f.near[:0]
	for i := range f.runs {
		r := &f.runs[i]
		n := near{d0: r.difference(f.at)}
		for k := range 3 {
			var x [3]float64
			x[k] = h
			up := r.difference(f.at.scaled(x[:]))
			x[k] = -h
			for j, v := range r.difference(f.at.scaled(x[:])) {
				n.jac[k] = append(n.jac[k], (up[j]-v)/(2*h))
			}
		}
		f.spread, f.near = append(f.spread, f.at.spread(r.Turns)), append(f.near, n)
	}
}

// solveLinear returns the relative changes that minimize the weighted sum of squares of the used runs, for a slip.
func (f *fit) solveLinear(slip float64) (linear, error) {
	a, b := mat.NewSymDense(3, nil), mat.NewVecDense(3, nil)
	for i := range f.runs {
		if !f.used[i] {
			continue
		}
		c := f.runs[i].covariance(f.spread[i], f.read, slip)
		d := whiten(c, f.near[i].d0)
		var w [3][]float64
		for k := range 3 {
			w[k] = whiten(c, f.near[i].jac[k])
		}
		for k := range 3 {
			for m := k; m < 3; m++ {
				a.SetSym(k, m, a.At(k, m)+dot(w[k], w[m]))
			}
			b.SetVec(k, b.AtVec(k)-dot(w[k], d))
		}
	}
	out := linear{slip: slip, cov: mat.NewSymDense(3, nil)}
	var c mat.Cholesky
	if !c.Factorize(a) || c.InverseTo(out.cov) != nil {
		return out, fmt.Errorf("wheels: %w: straight runs and turns both ways are needed", lm.ErrWeak)
	}
	x := mat.NewVecDense(3, out.x[:])
	x.MulVec(out.cov, b)
	for i := range f.runs {
		if f.used[i] {
			out.ssr += squares(whiten(f.runs[i].covariance(f.spread[i], f.read, slip), f.near[i].at(out.x)))
		}
	}
	return out, nil
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// freedom returns the degrees of freedom of the used runs.
func (f *fit) freedom() int {
	n := -3
	for i := range f.runs {
		if f.used[i] {
			n += f.runs[i].rows()
		}
	}
	return n
}

// slipOf estimates the slip that explains the scatter of the used runs: with it the weighted sum of squares equals
// its expectation, the degrees of freedom (Mandel and Paule 1970; DerSimonian and Kacker 2007).
func (f *fit) slipOf() (linear, error) {
	want := float64(f.freedom())
	best, err := f.solveLinear(0)
	if err != nil || best.ssr <= want {
		return best, err
	}
	lo, hi := 1e-6, 0.05
	for range 30 {
		if best, err = f.solveLinear(math.Sqrt(lo * hi)); err != nil {
			return best, err
		}
		if best.ssr > want {
			lo = best.slip
		} else {
			hi = best.slip
		}
	}
	return best, nil
}
