// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/epuck-ros2/epuck-driver/calibration/lm"
)

// MagResult is the result of [Magnetometer].
type MagResult struct {
	Correction Correction
	BiasSigma  Vec     // T; 0 for an axis that is not corrected
	Field      float64 // magnitude of the corrected field, T; if Flat, of its horizontal part
	// Before and After are the standard deviations of the magnitude without and with the correction, T.
	Before, After float64
	// Flat is set if the robot only turned on the floor: the z axis is not corrected.
	Flat bool
}

const (
	minField   = 1e-7 // T
	minSpread  = 0.05 // smallest share of the variance that each axis must have
	minSamples = 50
)

// Magnetometer estimates the hard and soft iron distortion: the centre and the shape of the ellipsoid of the field
// while the robot is turned, first by the algebraic fit, then by least squares on the distances. If the robot was
// only turned on the floor the samples form an ellipse, and the vertical axis is not corrected. The matrix is
// symmetric: a rotation of all axes can't be distinguished from a rotation of the robot. The error matches [ErrData]
// or those of package lm.
func Magnetometer(samples []Vec) (*MagResult, error) {
	if len(samples) < minSamples {
		return nil, fmt.Errorf("%w: %d samples, at least %d are needed", ErrData, len(samples), minSamples)
	}
	for _, s := range samples {
		if n := s.Norm(); !(n < 1) {
			return nil, fmt.Errorf("%w: a field of %v T", ErrData, s)
		}
	}
	dims, err := dimensions(samples)
	if err != nil {
		return nil, err
	}
	f := newEllipsoid(samples, dims)
	if err := f.algebraic(); err != nil {
		return nil, err
	}
	return f.refine(samples)
}

// dimensions returns 3 if the robot was turned about all axes, 2 if it was turned on the floor only.
func dimensions(samples []Vec) (int, error) {
	m := Average(samples).Value
	var c [3][3]float64
	for _, s := range samples {
		for i := range 3 {
			for j := range 3 {
				c[i][j] += (s[i] - m[i]) * (s[j] - m[j]) / float64(len(samples))
			}
		}
	}
	flat, all := c[0][0]+c[1][1], c[0][0]+c[1][1]+c[2][2]
	sym := mat.NewSymDense(3, nil)
	for i := range 3 {
		for j := i; j < 3; j++ {
			sym.SetSym(i, j, c[i][j])
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(sym, false) || all < minField*minField {
		return 0, fmt.Errorf("%w: the field does not change: the robot was not turned, or the sensor does not update", ErrData)
	}
	if least := eig.Values(nil)[0]; least > minSpread*all {
		return 3, nil
	}
	plane := math.Sqrt(sq(c[0][0]-c[1][1]) + 4*sq(c[0][1]))
	if (flat-plane)/2 < minSpread*flat || c[2][2] > minSpread*all {
		return 0, fmt.Errorf("%w: turn the robot all the way round on the floor, or about all three axes", ErrData)
	}
	return 2, nil
}

// ellipsoid is the state of the fit |W·(x − c)| = 1 to scaled samples.
type ellipsoid struct {
	dims  int
	scale float64 // T
	mid   Vec     // T
	x     [][]float64
	c     []float64
	w     [][]float64
}

func newEllipsoid(samples []Vec, dims int) *ellipsoid {
	f := &ellipsoid{dims: dims, mid: Average(samples).Value}
	for _, s := range samples {
		for i := range dims {
			f.scale += sq(s[i]-f.mid[i]) / float64(len(samples))
		}
	}
	f.scale = math.Sqrt(f.scale)
	for _, s := range samples {
		row := make([]float64, dims)
		for i := range row {
			row[i] = (s[i] - f.mid[i]) / f.scale
		}
		f.x = append(f.x, row)
	}
	return f
}

// algebraic fits xᵀ·Q·x + 2·uᵀ·x = 1.
func (f *ellipsoid) algebraic() error {
	n := f.dims
	terms := n*(n+1)/2 + n
	a, b := mat.NewDense(len(f.x), terms, nil), mat.NewVecDense(len(f.x), nil)
	for k, x := range f.x {
		col := 0
		for i := range n {
			for j := i; j < n; j++ {
				v := x[i] * x[j]
				if i != j {
					v *= 2
				}
				a.Set(k, col, v)
				col++
			}
		}
		for i := range n {
			a.Set(k, col+i, 2*x[i])
		}
		b.SetVec(k, 1)
	}
	var p mat.VecDense
	if err := p.SolveVec(a, b); err != nil {
		return fmt.Errorf("%w: the samples fit no ellipsoid: %w", ErrData, err)
	}
	q, u := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	col := 0
	for i := range n {
		for j := i; j < n; j++ {
			q.SetSym(i, j, p.AtVec(col))
			col++
		}
	}
	for i := range n {
		u.SetVec(i, p.AtVec(col+i))
	}
	var c mat.VecDense
	if err := c.SolveVec(q, u); err != nil {
		return fmt.Errorf("%w: the samples fit no ellipsoid", ErrData)
	}
	c.ScaleVec(-1, &c)
	level := 1 + mat.Inner(&c, q, &c)
	q.ScaleSym(1/level, q)
	root, ok := squareRoot(q)
	if !ok {
		return fmt.Errorf("%w: the samples fit no ellipsoid: something magnetic moved meanwhile", ErrData)
	}
	f.c, f.w = c.RawVector().Data, root
	return nil
}

// squareRoot returns the symmetric square root of a positive definite matrix; ok is false if it is not positive
// definite.
func squareRoot(q *mat.SymDense) ([][]float64, bool) {
	var eig mat.EigenSym
	if !eig.Factorize(q, true) {
		return nil, false
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	n := q.SymmetricDim()
	out := make([][]float64, n)
	for i := range n {
		out[i] = make([]float64, n)
		for j := range n {
			for k, l := range eig.Values(nil) {
				if !(l > 0) {
					return nil, false
				}
				out[i][j] += v.At(i, k) * v.At(j, k) * math.Sqrt(l)
			}
		}
	}
	return out, true
}

// refine minimizes the distances from the ellipsoid and returns the result.
func (f *ellipsoid) refine(samples []Vec) (*MagResult, error) {
	n := f.dims
	x0 := append([]float64(nil), f.c...)
	for i := range n {
		x0 = append(x0, f.w[i][i:]...)
	}
	shape := func(p []float64) [][]float64 {
		w := make([][]float64, n)
		for i := range n {
			w[i] = make([]float64, n)
		}
		at := n
		for i := range n {
			for j := i; j < n; j++ {
				w[i][j], w[j][i] = p[at], p[at]
				at++
			}
		}
		return w
	}
	res, err := lm.Solve(lm.Problem{N: len(x0), M: len(f.x), Residuals: func(p, r []float64) {
		w := shape(p)
		for k, x := range f.x {
			sum := 0.0
			for i := range n {
				v := 0.0
				for j := range n {
					v += w[i][j] * (x[j] - p[j])
				}
				sum += v * v
			}
			r[k] = math.Sqrt(sum) - 1
		}
	}}, x0, lm.Options{Tolerance: 1e-10})
	if err != nil {
		return nil, fmt.Errorf("imu: %w", err)
	}
	out := &MagResult{Correction: None(), Flat: n == 2}
	w := shape(res.X)
	volume := w[0][0]*w[1][1] - w[0][1]*w[1][0]
	if n == 3 {
		volume = mat.Det(mat.NewDense(3, 3, append(append(append([]float64(nil), w[0]...), w[1]...), w[2]...)))
	}
	radius := math.Pow(volume, -1/float64(n)) // of the sphere with the ellipsoid's volume: keeps the mean scale
	variance := res.SSR / float64(max(len(f.x)-len(x0), 1))
	for i := range n {
		out.Correction.Bias[i] = f.mid[i] + f.scale*res.X[i]
		out.BiasSigma[i] = f.scale * math.Sqrt(res.Covariance.At(i, i)*variance)
		for j := range n {
			out.Correction.Matrix[3*i+j] = w[i][j] * radius
		}
	}
	out.Field = radius * f.scale
	out.Before, out.After = magnitudeSigma(samples, n, None()), magnitudeSigma(samples, n, out.Correction)
	return out, nil
}

// magnitudeSigma returns the standard deviation of the magnitudes of the corrected samples in the first n axes, T.
func magnitudeSigma(samples []Vec, n int, c Correction) float64 {
	var sum, squares float64
	for _, s := range samples {
		v := c.Apply(s)
		l := 0.0
		for i := range n {
			l += v[i] * v[i]
		}
		sum, squares = sum+math.Sqrt(l), squares+l
	}
	k := float64(len(samples))
	return math.Sqrt(max(squares/k-sq(sum/k), 0))
}
