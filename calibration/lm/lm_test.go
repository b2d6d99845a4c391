// SPDX-License-Identifier: Apache-2.0

package lm_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/epuck-ros2/epuck-driver/calibration/lm"
)

// TestStandardProblems are those of Moré, Garbow and Hillstrom (1981) from their usual starts.
func TestStandardProblems(t *testing.T) {
	for _, c := range []struct {
		name      string
		p         lm.Problem
		start     []float64
		want      []float64
		ssr, near float64
	}{
		{"Rosenbrock", lm.Problem{N: 2, M: 2, Residuals: func(x, r []float64) {
			r[0], r[1] = 10*(x[1]-x[0]*x[0]), 1-x[0]
		}}, []float64{-1.2, 1}, []float64{1, 1}, 0, 1e-6},
		{"helical valley", lm.Problem{N: 3, M: 3, Residuals: func(x, r []float64) {
			theta := math.Atan2(x[1], x[0]) / (2 * math.Pi)
			r[0], r[1], r[2] = 10*(x[2]-10*theta), 10*(math.Hypot(x[0], x[1])-1), x[2]
		}}, []float64{-1, 0.1, 0}, []float64{1, 0, 0}, 0, 1e-6},
		{"Bard", lm.Problem{N: 3, M: 15, Residuals: func(x, r []float64) {
			y := []float64{.14, .18, .22, .25, .29, .32, .35, .39, .37, .58, .73, .96, 1.34, 2.10, 4.39}
			for i := range y {
				u := float64(i + 1)
				v, w := 16-u, min(u, 16-u)
				r[i] = y[i] - (x[0] + u/(v*x[1]+w*x[2]))
			}
		}}, []float64{1, 1, 1}, []float64{0.08241, 1.1330, 2.3437}, 8.21487e-3, 1e-3},
	} {
		res, err := lm.Solve(c.p, c.start, lm.Options{MaxIterations: 500})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if math.Abs(res.SSR-c.ssr) > 1e-6*(1+c.ssr) {
			t.Errorf("%s: sum of squares %g, want %g", c.name, res.SSR, c.ssr)
		}
		for i, want := range c.want {
			if math.Abs(res.X[i]-want) > c.near {
				t.Errorf("%s: %v, want %v", c.name, res.X, c.want)
			}
		}
	}
}

// TestCovariance: estimates of a line scatter as the covariance says.
func TestCovariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n, times = 20, 400
	var a, b []float64
	var cov *mat.SymDense
	for range times {
		y := make([]float64, n)
		for i := range y {
			y[i] = 3 + 0.5*float64(i) + 0.1*rng.NormFloat64()
		}
		res, err := lm.Solve(lm.Problem{N: 2, M: n, Residuals: func(x, r []float64) {
			for i := range r {
				r[i] = (x[0] + x[1]*float64(i) - y[i]) / 0.1
			}
		}}, []float64{0, 0}, lm.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a, b, cov = append(a, res.X[0]), append(b, res.X[1]), res.Covariance
	}
	for i, v := range [][]float64{a, b} {
		sum, sq := 0.0, 0.0
		for _, x := range v {
			sum += x / times
		}
		for _, x := range v {
			sq += (x - sum) * (x - sum) / times
		}
		if ratio := sq / cov.At(i, i); ratio < 0.8 || ratio > 1.25 {
			t.Errorf("parameter %d: variance %g, promised %g", i, sq, cov.At(i, i))
		}
	}
}

func TestErrors(t *testing.T) {
	flat := func(x, r []float64) { clear(r); r[0] = x[0] }
	for _, c := range []struct {
		name string
		p    lm.Problem
		x    []float64
		want error
	}{
		{"too few residuals", lm.Problem{N: 2, M: 1, Residuals: flat}, []float64{1, 1}, lm.ErrBad},
		{"wrong start", lm.Problem{N: 2, M: 2, Residuals: flat}, []float64{1}, lm.ErrBad},
		{"no number", lm.Problem{N: 1, M: 1, Residuals: func(_, r []float64) { r[0] = math.NaN() }}, []float64{1}, lm.ErrBad},
		{"no influence", lm.Problem{N: 2, M: 2, Residuals: flat}, []float64{1, 1}, lm.ErrWeak},
		{"the same twice", lm.Problem{N: 2, M: 2, Residuals: func(x, r []float64) {
			r[0], r[1] = x[0]+x[1]-2, 2*(x[0]+x[1])
		}}, []float64{0, 0}, lm.ErrWeak},
	} {
		if _, err := lm.Solve(c.p, c.x, lm.Options{}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// exponentials is a blocks problem: a shared decay, each group with its own height.
func exponentials(groups int, noise func() float64) (lm.Blocks, []float64, [][]float64) {
	const m = 12
	var data [][]float64
	var own [][]float64
	sizes := make([]int, groups)
	for g := range groups {
		y := make([]float64, m)
		for i := range y {
			y[i] = float64(g+1)*math.Exp(-0.3*float64(i)) + 0.2 + noise()
		}
		data, own, sizes[g] = append(data, y), append(own, []float64{1}), m
	}
	return lm.Blocks{Shared: 2, Own: 1, Residuals: sizes, Evaluate: func(g int, s, o, r []float64, a, b *mat.Dense) {
		for i := range r {
			e := math.Exp(-s[0] * float64(i))
			r[i] = o[0]*e + s[1] - data[g][i]
			if a != nil {
				a.Set(i, 0, -float64(i)*o[0]*e)
				a.Set(i, 1, 1)
				b.Set(i, 0, e)
			}
		}
	}}, []float64{0.1, 0}, own
}

// TestBlocksAgreeWithDense: the same problem both ways gives the same parameters and covariance.
func TestBlocksAgreeWithDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const groups = 6
	p, shared, own := exponentials(groups, func() float64 { return 0.01 * rng.NormFloat64() })
	got, err := lm.SolveBlocks(p, shared, own, lm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := append([]float64(nil), shared...)
	for _, o := range own {
		x = append(x, o...)
	}
	want, err := lm.Solve(lm.Problem{N: len(x), M: 12 * groups, Residuals: func(x, r []float64) {
		for g := range groups {
			p.Evaluate(g, x[:2], x[2+g:3+g], r[12*g:12*g+12], nil, nil)
		}
	}}, x, lm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.SSR-want.SSR) > 1e-9 {
		t.Errorf("sum of squares %g, dense %g", got.SSR, want.SSR)
	}
	for i := range 2 {
		if math.Abs(got.Shared[i]-want.X[i]) > 1e-6 {
			t.Errorf("shared %v, dense %v", got.Shared, want.X[:2])
		}
		for j := range 2 {
			if math.Abs(got.Covariance.At(i, j)-want.Covariance.At(i, j)) > 1e-4*math.Abs(want.Covariance.At(i, i)) {
				t.Errorf("covariance %d %d: %g, dense %g", i, j, got.Covariance.At(i, j), want.Covariance.At(i, j))
			}
		}
	}
	if _, err := lm.SolveBlocks(p, shared[:1], own, lm.Options{}); !errors.Is(err, lm.ErrBad) {
		t.Error(err)
	}
}

// A line through three points.
func ExampleSolve() {
	points := [][2]float64{{0, 1}, {1, 3}, {2, 5}}
	res, err := lm.Solve(lm.Problem{N: 2, M: 3, Residuals: func(x, r []float64) {
		for i, p := range points {
			r[i] = x[0] + x[1]*p[0] - p[1]
		}
	}}, []float64{0, 0}, lm.Options{})
	fmt.Printf("%.3f %.3f %v\n", res.X[0], res.X[1], err)
	// Output: 1.000 2.000 <nil>
}
