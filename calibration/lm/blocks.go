// SPDX-License-Identifier: Apache-2.0

package lm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Blocks is a least-squares problem whose residuals form groups: each residual depends on the shared parameters and
// on those of its own group, as the points of one picture depend on the camera and on the pose of that picture.
type Blocks struct {
	// Shared is the number of shared parameters, Own the number of each group's own parameters.
	Shared, Own int
	// Residuals is the number of residuals of each group.
	Residuals []int
	// Evaluate writes the residuals of group g at the parameters shared and own to r. If jacShared and jacOwn are not
	// nil it also writes the derivatives to them: one row per residual.
	Evaluate func(g int, shared, own, r []float64, jacShared, jacOwn *mat.Dense)
}

// BlocksResult is the result of [SolveBlocks].
type BlocksResult struct {
	Shared     []float64
	Own        [][]float64   // by group
	R          [][]float64   // residuals by group
	SSR        float64       // sum of their squares
	Covariance *mat.SymDense // of the shared parameters, if residuals have variance 1; very large for undetermined ones
	Iterations int
}

// SolveBlocks minimizes the sum of squared residuals from a start, which is not changed. A step is cubic in the
// number of shared parameters and linear in the number of groups, whose own parameters are eliminated by the Schur
// complement (Triggs et al., Bundle adjustment, 2000, §6). The error matches [ErrWeak] if the residuals do not
// determine the parameters. It also fails if the numbers of residuals and parameters are inconsistent, if the
// residuals at the start are not finite, or if the steps do not become small within Options.MaxIterations; the error
// has the counts, or the last sum of squares.
func SolveBlocks(p Blocks, shared []float64, own [][]float64, o Options) (*BlocksResult, error) {
	o = o.withDefaults()
	total := 0
	for _, m := range p.Residuals {
		total += m
	}
	if p.Shared != len(shared) || len(own) != len(p.Residuals) || total < p.Shared+p.Own*len(own) || p.Shared == 0 {
		return nil, fmt.Errorf("%w: %d residuals in %d groups, %d shared parameters", errBad, total, len(own), p.Shared)
	}
	b := &schur{p: p}
	x := append([]float64(nil), shared...)
	for g, v := range own {
		if len(v) != p.Own {
			return nil, fmt.Errorf("%w: group %d has %d parameters, want %d", errBad, g, len(v), p.Own)
		}
		x = append(x, v...)
		m := p.Residuals[g]
		b.groups = append(b.groups, group{
			a: mat.NewDense(m, p.Shared, nil), b: mat.NewDense(m, p.Own, nil),
			v: mat.NewSymDense(p.Own, nil), w: mat.NewDense(p.Shared, p.Own, nil), gb: mat.NewVecDense(p.Own, nil),
			r: make([]float64, m),
		})
	}
	s := &search{system: b, x: x, r: make([]float64, total), opts: o}
	n, err := s.run()
	if err != nil {
		return nil, err
	}
	reduced, ok := b.reduce(0)
	if !ok {
		return nil, ErrWeak
	}
	cov, err := invert(reduced)
	if err != nil {
		if cov, err = invertFloored(reduced); err != nil {
			return nil, err
		}
	}
	res := &BlocksResult{Shared: s.x[:p.Shared], SSR: s.ssr, Covariance: cov, Iterations: n}
	at := 0
	for g := range own {
		res.Own = append(res.Own, s.x[p.Shared+g*p.Own:][:p.Own])
		res.R = append(res.R, s.r[at:][:p.Residuals[g]])
		at += p.Residuals[g]
	}
	return res, nil
}

// group is the contribution of one group to the normal equations: JᵀJ = [U W; Wᵀ V].
type group struct {
	a, b *mat.Dense    // derivatives by shared and own parameters
	v    *mat.SymDense // bᵀb
	w    *mat.Dense    // aᵀb
	gb   *mat.VecDense // bᵀr
	r    []float64
	c    mat.Cholesky // of the damped v
}

// schur implements [system] for [Blocks].
type schur struct {
	p      Blocks
	groups []group
	u      mat.SymDense // Σ aᵀa
	ga     mat.VecDense // Σ aᵀr
}

func (s *schur) residuals(x, r []float64) {
	at := 0
	for g, m := range s.p.Residuals {
		s.p.Evaluate(g, x[:s.p.Shared], x[s.p.Shared+g*s.p.Own:][:s.p.Own], r[at:at+m], nil, nil)
		at += m
	}
}

func (s *schur) linearize(x, _ []float64) (diagonal, gradient float64) {
	n := s.p.Shared
	s.u.Reset()
	s.u.ReuseAsSym(n)
	s.ga.Reset()
	s.ga.ReuseAsVec(n)
	for g := range s.groups {
		q := &s.groups[g]
		s.p.Evaluate(g, x[:n], x[n+g*s.p.Own:][:s.p.Own], q.r, q.a, q.b)
		r := mat.NewVecDense(len(q.r), q.r)
		var ua mat.SymDense
		ua.SymOuterK(1, q.a.T())
		s.u.AddSym(&s.u, &ua)
		q.v.SymOuterK(1, q.b.T())
		q.w.Mul(q.a.T(), q.b)
		q.gb.MulVec(q.b.T(), r)
		var ga mat.VecDense
		ga.MulVec(q.a.T(), r)
		s.ga.AddVec(&s.ga, &ga)
		for k := range s.p.Own {
			gradient = max(gradient, math.Abs(q.gb.AtVec(k)))
		}
	}
	for k := range n {
		diagonal, gradient = max(diagonal, s.u.At(k, k)), max(gradient, math.Abs(s.ga.AtVec(k)))
	}
	return diagonal, gradient
}

// reduce eliminates the groups' own parameters: it returns U − Σ W·V⁻¹·Wᵀ with damped diagonals, and stores the
// factors of V.
func (s *schur) reduce(mu float64) (*mat.SymDense, bool) {
	n := s.p.Shared
	out := mat.NewSymDense(n, nil)
	out.CopySym(&s.u)
	for k := range n {
		out.SetSym(k, k, s.u.At(k, k)*(1+mu))
	}
	for g := range s.groups {
		q := &s.groups[g]
		damped := mat.NewSymDense(s.p.Own, nil)
		damped.CopySym(q.v)
		for k := range s.p.Own {
			damped.SetSym(k, k, q.v.At(k, k)*(1+mu))
		}
		if !q.c.Factorize(damped) {
			return nil, false
		}
		var y, wy mat.Dense // V⁻¹·Wᵀ
		if err := q.c.SolveTo(&y, q.w.T()); err != nil {
			return nil, false
		}
		wy.Mul(q.w, &y)
		for i := range n {
			for j := i; j < n; j++ {
				out.SetSym(i, j, out.At(i, j)-(wy.At(i, j)+wy.At(j, i))/2)
			}
		}
	}
	return out, true
}

func (s *schur) step(mu float64, dx []float64) (gain float64, ok bool) {
	n := s.p.Shared
	reduced, ok := s.reduce(mu)
	if !ok {
		return 0, false
	}
	right := mat.NewVecDense(n, nil)
	right.ScaleVec(-1, &s.ga)
	for g := range s.groups {
		q := &s.groups[g]
		var y, wy mat.VecDense
		if err := q.c.SolveVecTo(&y, q.gb); err != nil {
			return 0, false
		}
		wy.MulVec(q.w, &y)
		right.AddVec(right, &wy)
	}
	var c mat.Cholesky
	if !c.Factorize(reduced) {
		return 0, false
	}
	da := mat.NewVecDense(n, dx[:n])
	if err := c.SolveVecTo(da, right); err != nil {
		return 0, false
	}
	for k := range n {
		gain += dx[k] * (mu*s.u.At(k, k)*dx[k] - s.ga.AtVec(k))
	}
	for g := range s.groups {
		q := &s.groups[g]
		own := dx[n+g*s.p.Own:][:s.p.Own]
		var wa mat.VecDense
		wa.MulVec(q.w.T(), da)
		wa.AddVec(&wa, q.gb)
		wa.ScaleVec(-1, &wa)
		if err := q.c.SolveVecTo(mat.NewVecDense(s.p.Own, own), &wa); err != nil {
			return 0, false
		}
		for k := range own {
			gain += own[k] * (mu*q.v.At(k, k)*own[k] - q.gb.AtVec(k))
		}
	}
	return gain, !math.IsNaN(gain)
}
