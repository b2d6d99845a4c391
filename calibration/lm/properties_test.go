// SPDX-License-Identifier: Apache-2.0

package lm_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/calibration/lm"
)

// polynomial is the problem of a polynomial through values at 0, 1, 2 …, each known to sigma.
func polynomial(n int, y []float64, sigma float64) lm.Problem {
	return lm.Problem{N: n, M: len(y), Residuals: func(x, r []float64) {
		for i := range y {
			v, at := 0.0, 1.0
			for _, c := range x {
				v, at = v+c*at, at*float64(i)/float64(len(y))
			}
			r[i] = (v - y[i]) / sigma
		}
	}}
}

// normalEquations solves the same by linear algebra.
func normalEquations(t *rapid.T, n int, y []float64) []float64 {
	a, b := mat.NewDense(len(y), n, nil), mat.NewVecDense(len(y), y)
	for i := range y {
		at := 1.0
		for j := range n {
			a.Set(i, j, at)
			at *= float64(i) / float64(len(y))
		}
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	return x.RawVector().Data
}

// A linear problem has one answer, which does not depend on the start, and the start is left as it was.
func TestLinearProblems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "parameters")
		value := rapid.Float64Range(-5, 5)
		y := rapid.SliceOfN(value, n+2, n+12).Draw(t, "values")
		start := rapid.SliceOfN(value, n, n).Draw(t, "start")
		before := slices.Clone(start)
		res, err := lm.Solve(polynomial(n, y, 1), start, lm.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(start, before) {
			t.Fatal("the start was changed")
		}
		for i, want := range normalEquations(t, n, y) {
			if math.Abs(res.X[i]-want) > 1e-5*(1+math.Abs(want)) {
				t.Fatalf("%v, want %v at %d", res.X, want, i)
			}
		}
		sum := 0.0
		for _, r := range res.R {
			sum += r * r
		}
		if math.Abs(sum-res.SSR) > 1e-9*(1+sum) {
			t.Fatalf("the residuals give %g, the sum says %g", sum, res.SSR)
		}
	})
}

func TestSearchThatIsTooLong(t *testing.T) {
	p := lm.Problem{N: 2, M: 2, Residuals: func(x, r []float64) { r[0], r[1] = 10*(x[1]-x[0]*x[0]), 1-x[0] }}
	if _, err := lm.Solve(p, []float64{-1.2, 1}, lm.Options{MaxIterations: 2}); !errors.Is(err, lm.ErrSlow) {
		t.Errorf("two steps for Rosenbrock's valley: %v", err)
	}
}

func TestBlocksThatMakeNoSense(t *testing.T) {
	none := func() float64 { return 0 }
	for name, change := range map[string]func(p *lm.Blocks, shared *[]float64, own *[][]float64){
		"no shared parameters":    func(p *lm.Blocks, shared *[]float64, _ *[][]float64) { p.Shared, *shared = 0, nil },
		"a group too many":        func(_ *lm.Blocks, _ *[]float64, own *[][]float64) { *own = append(*own, []float64{1}) },
		"a group of another size": func(_ *lm.Blocks, _ *[]float64, own *[][]float64) { (*own)[1] = []float64{1, 2} },
		"too few residuals":       func(p *lm.Blocks, _ *[]float64, _ *[][]float64) { p.Residuals = []int{1, 1, 1} },
		"no number":               func(_ *lm.Blocks, shared *[]float64, _ *[][]float64) { (*shared)[0] = math.NaN() },
	} {
		p, shared, own := exponentials(3, none)
		change(&p, &shared, &own)
		if _, err := lm.SolveBlocks(p, shared, own, lm.Options{}); !errors.Is(err, lm.ErrBad) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A shared parameter that no residual depends on is reported by its variance or by an error, not with a small variance.
func TestBlocksReportUndeterminedParameters(t *testing.T) {
	p, shared, own := exponentials(3, func() float64 { return 0 })
	inner := p.Evaluate
	p.Shared++
	p.Evaluate = func(g int, s, o, r []float64, a, b *mat.Dense) {
		if a == nil {
			inner(g, s[:2], o, r, nil, nil)
			return
		}
		part := mat.NewDense(len(r), 2, nil)
		inner(g, s[:2], o, r, part, b)
		a.Zero()
		a.Slice(0, len(r), 0, 2).(*mat.Dense).Copy(part)
	}
	res, err := lm.SolveBlocks(p, append(shared, 0), own, lm.Options{})
	if err != nil {
		if !errors.Is(err, lm.ErrWeak) {
			t.Error(err)
		}
		return
	}
	if v := res.Covariance.At(2, 2); v < 1e6 {
		t.Errorf("a parameter without influence has the variance %g", v)
	}
}
