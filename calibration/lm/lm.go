// SPDX-License-Identifier: Apache-2.0

package lm

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// The errors of both solvers.
var (
	// errBad is matched by an invalid problem: fewer residuals than parameters, or residuals at the start that are
	// not finite.
	errBad = errors.New("lm: bad problem")
	// ErrWeak is matched when the residuals do not determine all parameters.
	ErrWeak = errors.New("lm: the data do not determine the parameters")
	// errSlow is matched when the steps have not become small after Options.MaxIterations.
	errSlow = errors.New("lm: no convergence")
)

// Options of the solvers. A zero field means its default.
type Options struct {
	// MaxIterations defaults to 100.
	MaxIterations int
	// Tolerance is the relative change of parameters and of the sum of squares that ends the search. It defaults to
	// 1e-12.
	Tolerance float64
}

func (o Options) withDefaults() Options {
	if o.MaxIterations == 0 {
		o.MaxIterations = 100
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-12
	}
	return o
}

// Problem is a dense least-squares problem.
type Problem struct {
	// N is the number of parameters, M the number of residuals.
	N, M int
	// Residuals writes M residuals at the parameters x.
	Residuals func(x, r []float64)
	// Step is the step of the central differences. It defaults to 1e-6.
	Step float64
}

// Result is the result of [Solve].
type Result struct {
	X          []float64     // parameters
	R          []float64     // residuals there
	SSR        float64       // their sum of squares
	Covariance *mat.SymDense // inverse of JᵀJ: of the parameters, if residuals have variance 1
	Iterations int
}

// Solve minimizes the sum of squared residuals from the start x0, which is not changed. The error matches [ErrWeak]
// if the residuals do not determine the parameters. It also fails if there are fewer residuals than parameters, if
// the residuals at the start are not finite, or if the steps do not become small within Options.MaxIterations; the
// error has the counts, or the last sum of squares.
func Solve(p Problem, x0 []float64, o Options) (*Result, error) {
	o = o.withDefaults()
	if p.N != len(x0) || p.M < p.N || p.N == 0 {
		return nil, fmt.Errorf("%w: %d residuals, %d parameters, %d at the start", errBad, p.M, p.N, len(x0))
	}
	d := &dense{p: p, jac: mat.NewDense(p.M, p.N, nil), lo: make([]float64, p.M), hi: make([]float64, p.M)}
	if d.p.Step == 0 {
		d.p.Step = 1e-6
	}
	s := &search{system: d, x: append([]float64(nil), x0...), opts: o}
	s.r = make([]float64, p.M)
	n, err := s.run()
	if err != nil {
		return nil, err
	}
	cov, err := d.covariance()
	if err != nil {
		return nil, err
	}
	return &Result{X: s.x, R: s.r, SSR: s.ssr, Covariance: cov, Iterations: n}, nil
}

// system computes residuals and solves the damped normal equations for a search.
type system interface {
	residuals(x, r []float64)
	// linearize computes the derivatives at x, whose residuals are r, and returns the largest diagonal element of JᵀJ
	// and the largest element of |Jᵀr|.
	linearize(x, r []float64) (diagonal, gradient float64)
	// step solves (JᵀJ + µ·diag)·dx = −Jᵀr; gain is dxᵀ(µ·diag·dx − Jᵀr), the decrease that a linear problem would
	// have.
	step(mu float64, dx []float64) (gain float64, ok bool)
}

// search is the state of the Levenberg-Marquardt iteration.
type search struct {
	system
	x, r []float64
	ssr  float64
	opts Options
}

// run iterates until convergence; it returns the number of iterations.
func (s *search) run() (int, error) {
	s.residuals(s.x, s.r)
	s.ssr = squares(s.r)
	if math.IsNaN(s.ssr) || math.IsInf(s.ssr, 0) {
		return 0, fmt.Errorf("%w: the residuals at the start are no numbers", errBad)
	}
	mu, grow := 1e-3, 2.0
	dx, x, r := make([]float64, len(s.x)), make([]float64, len(s.x)), make([]float64, len(s.r))
	_, gradient := s.linearize(s.x, s.r)
	for i := range s.opts.MaxIterations {
		if gradient == 0 || s.ssr < 1e-28 {
			return i, nil
		}
		gain, ok := s.step(mu, dx)
		if !ok {
			if mu *= grow; mu > 1e12 {
				return i, ErrWeak
			}
			grow *= 2
			continue
		}
		for k := range x {
			x[k] = s.x[k] + dx[k]
		}
		s.residuals(x, r)
		ssr := squares(r)
		small := norm(dx) <= s.opts.Tolerance*(norm(s.x)+s.opts.Tolerance)
		if better := s.ssr - ssr; better > 0 {
			rho := better / gain
			small = small || better <= s.opts.Tolerance*s.ssr
			copy(s.x, x)
			copy(s.r, r)
			s.ssr = ssr
			_, gradient = s.linearize(s.x, s.r)
			mu *= max(1.0/3, 1-math.Pow(2*rho-1, 3))
			grow = 2
		} else {
			mu *= grow
			grow *= 2
			small = small || mu > 1e14 // no step reduces the sum of squares
		}
		if small {
			return i + 1, nil
		}
	}
	return s.opts.MaxIterations, fmt.Errorf("%w after %d steps, sum of squares %g", errSlow, s.opts.MaxIterations, s.ssr)
}

// dense implements [system] for a [Problem].
type dense struct {
	p        Problem
	jac      *mat.Dense
	jtj      mat.SymDense
	jtr      mat.VecDense
	lo, hi   []float64
	diagonal []float64
}

func (d *dense) residuals(x, r []float64) { d.p.Residuals(x, r) }

func (d *dense) linearize(x, r []float64) (diagonal, gradient float64) {
	at := append([]float64(nil), x...)
	for k := range x {
		at[k] = x[k] + d.p.Step
		d.p.Residuals(at, d.hi)
		at[k] = x[k] - d.p.Step
		d.p.Residuals(at, d.lo)
		at[k] = x[k]
		for i := range d.hi {
			d.jac.Set(i, k, (d.hi[i]-d.lo[i])/(2*d.p.Step))
		}
	}
	d.jtj.Reset()
	d.jtj.SymOuterK(1, d.jac.T())
	d.jtr.Reset()
	d.jtr.MulVec(d.jac.T(), mat.NewVecDense(len(r), r))
	d.diagonal = d.diagonal[:0]
	for k := range x {
		d.diagonal = append(d.diagonal, d.jtj.At(k, k))
		diagonal, gradient = max(diagonal, d.jtj.At(k, k)), max(gradient, math.Abs(d.jtr.AtVec(k)))
	}
	return diagonal, gradient
}

func (d *dense) step(mu float64, dx []float64) (gain float64, ok bool) {
	damped := mat.NewSymDense(len(dx), nil)
	damped.CopySym(&d.jtj)
	for k, v := range d.diagonal {
		damped.SetSym(k, k, v*(1+mu))
	}
	var c mat.Cholesky
	if !c.Factorize(damped) {
		return 0, false
	}
	v := mat.NewVecDense(len(dx), dx)
	if err := c.SolveVecTo(v, &d.jtr); err != nil {
		return 0, false
	}
	for k := range dx {
		dx[k] = -dx[k]
		gain += dx[k] * (mu*d.diagonal[k]*dx[k] - d.jtr.AtVec(k))
	}
	return gain, !math.IsNaN(gain)
}

// covariance returns the inverse of JᵀJ.
func (d *dense) covariance() (*mat.SymDense, error) { return invert(&d.jtj) }

// invert returns the inverse of a symmetric matrix; it is scaled first, so that the singularity test does not depend
// on units.
func invert(a mat.Symmetric) (*mat.SymDense, error) {
	n := a.SymmetricDim()
	scale := make([]float64, n)
	for i := range n {
		if scale[i] = 1 / math.Sqrt(a.At(i, i)); math.IsInf(scale[i], 0) || math.IsNaN(scale[i]) {
			return nil, fmt.Errorf("%w: number %d has no influence", ErrWeak, i)
		}
	}
	scaled := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			scaled.SetSym(i, j, a.At(i, j)*scale[i]*scale[j])
		}
	}
	var c mat.Cholesky
	if !c.Factorize(scaled) || c.Cond() > 1e14 {
		return nil, ErrWeak
	}
	out := mat.NewSymDense(n, nil)
	if err := c.InverseTo(out); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWeak, err)
	}
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, out.At(i, j)*scale[i]*scale[j])
		}
	}
	return out, nil
}

// minEigenvalue is the value to which smaller eigenvalues of a scaled matrix are raised.
const minEigenvalue = 1e-13

// invertFloored is invert for a matrix that hardly determines some combination of parameters, as happens with the
// eight coefficients of a rational lens model for a lens that needs two: their variances become very large, those of
// the others are valid.
func invertFloored(a mat.Symmetric) (*mat.SymDense, error) {
	n := a.SymmetricDim()
	scaled, scale := mat.NewSymDense(n, nil), make([]float64, n)
	for i := range n {
		if scale[i] = 1 / math.Sqrt(a.At(i, i)); math.IsInf(scale[i], 0) || math.IsNaN(scale[i]) {
			return nil, fmt.Errorf("%w: number %d has no influence", ErrWeak, i)
		}
	}
	for i := range n {
		for j := i; j < n; j++ {
			scaled.SetSym(i, j, a.At(i, j)*scale[i]*scale[j])
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(scaled, true) {
		return nil, ErrWeak
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	values := eig.Values(nil)
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sum := 0.0
			for k, l := range values {
				sum += v.At(i, k) * v.At(j, k) / max(l, minEigenvalue)
			}
			out.SetSym(i, j, sum*scale[i]*scale[j])
		}
	}
	return out, nil
}

func squares(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return sum
}

func norm(v []float64) float64 { return math.Sqrt(squares(v)) }
