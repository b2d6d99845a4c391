// SPDX-License-Identifier: Apache-2.0

package cam

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/epuck-ros2/epuck-driver/calibration/lm"
)

// Options of [Calibrate]. A zero field means its default.
type Options struct {
	// Width and Height of the pictures, px. They are required.
	Width, Height int
	// Model defaults to PlumbBob.
	Model Model
	// Radial is the number of radial coefficients of PlumbBob, 2 or 3: with 2 the last one, k3, stays 0, which is
	// cameracalibrator's default and ours.
	Radial int
	// KeepAll leaves no view out.
	KeepAll bool
}

func (o Options) withDefaults() (Options, error) {
	if o.Model == "" {
		o.Model = PlumbBob
	}
	if o.Radial == 0 {
		o.Radial = 2
	}
	switch {
	case o.Width < 16 || o.Height < 16 || o.Width > 1<<15 || o.Height > 1<<15:
		return o, fmt.Errorf("%w: pictures of %d×%d pixels", errData, o.Width, o.Height)
	case o.Model.Coefficients() == 0:
		return o, fmt.Errorf("%w: model %q, there are %s, %s and %s", errData, o.Model, PlumbBob, Rational, Equidistant)
	case o.Radial != 2 && o.Radial != 3:
		return o, fmt.Errorf("%w: %d radial coefficients, want 2 or 3", errData, o.Radial)
	}
	return o, nil
}

// free are the places in the vector of intrinsics that are searched.
func (o Options) free() []int {
	var out []int
	for i := range 4 + o.Model.Coefficients() {
		if o.Model == PlumbBob && o.Radial == 2 && i == 8 {
			continue
		}
		out = append(out, i)
	}
	return out
}

// ViewResult says how a view fits.
type ViewResult struct {
	Name string
	RMS  float64 // px
	Pose Pose
	// Dropped says why the view did not count; empty if it did.
	Dropped string
}

// Result is what [Calibrate] found.
type Result struct {
	Camera Camera
	// Sigma is the standard deviation of each intrinsic, in the order of [Camera.Vector]; 0 of what was not searched.
	// The numerator and the denominator of [Rational] can nearly cancel: quite different k1, k2 and k4 to k6 then make
	// the same picture, and the true values are outside of their standard deviations more often than they should be.
	// Those of the other intrinsics hold.
	Sigma []float64
	// RMS is the root of the mean squared distance of points from where the model has them, px, as OpenCV has it.
	RMS float64
	// Views are in the order they came in.
	Views      []ViewResult
	Iterations int
}

const (
	surest      = 0.01 // px: nothing is seen more exactly, however well the points agree
	weakest     = 0.05 // as a share of the focal lengths: less sure is nothing
	leastViews  = 3
	viewOutlier = 3.0 // times the median RMS, as facts of practice have it
)

// Calibrate finds the intrinsics of the camera that took the views. It fails if an option is out of range, if fewer
// than three views are usable, if they do not determine the focal lengths (the error says how far), or if the search
// does not converge. The error matches lm.ErrWeak if the views leave parameters undetermined.
func Calibrate(views []View, o Options) (*Result, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	results := make([]ViewResult, len(views))
	var use []int
	for i, v := range views {
		results[i].Name = v.Name
		if err := checkView(v); err != nil {
			results[i].Dropped = err.Error()
		} else {
			use = append(use, i)
		}
	}
	for {
		if len(use) < leastViews {
			return nil, fmt.Errorf("%w: %d good views of %d, at least %d are needed", errData, len(use), len(views), leastViews)
		}
		chosen := make([]View, len(use))
		for k, i := range use {
			chosen[k] = views[i]
		}
		s, err := solve(chosen, o)
		if err != nil {
			return nil, err
		}
		for k, i := range use {
			results[i].RMS, results[i].Pose = s.rms[k], s.poses[k]
		}
		limit := viewOutlier * max(median(s.rms), 0.02)
		worst := slices.Index(s.rms, slices.Max(s.rms))
		if o.KeepAll || s.rms[worst] <= limit {
			r := s.result(results, o)
			if r.Sigma[0] > weakest*r.Camera.FX || r.Sigma[1] > weakest*r.Camera.FY {
				return nil, fmt.Errorf("%w: the views determine the focal lengths to %.0f and %.0f px only: tilt the board", errData, r.Sigma[0], r.Sigma[1])
			}
			return r, nil
		}
		results[use[worst]].Dropped = fmt.Sprintf("its points are %.2f px off, three times the usual %.2f px", s.rms[worst], median(s.rms))
		use = slices.Delete(use, worst, worst+1)
	}
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}

func checkView(v View) error {
	if len(v.Points) < 6 {
		return fmt.Errorf("%w: %d points, at least 6 are needed", errData, len(v.Points))
	}
	for _, p := range v.Points {
		for _, x := range [...]float64{p.X, p.Y, p.U, p.V} {
			if math.IsNaN(x) || math.Abs(x) > 1e6 {
				return fmt.Errorf("%w: point %v", errData, p)
			}
		}
	}
	if _, err := homography(v.Points, func(p Point) (float64, float64, bool) { return p.U, p.V, true }); err != nil {
		return err
	}
	return nil
}

// solution is what one search gave.
type solution struct {
	cam   Camera
	cov   *mat.SymDense
	ssr   float64
	n     int // residuals
	rms   []float64
	poses []Pose
	iter  int
}

func (s *solution) result(views []ViewResult, o Options) *Result {
	r := &Result{Camera: s.cam, Views: views, Iterations: s.iter, RMS: math.Sqrt(s.ssr / float64(s.n/2))}
	r.Sigma = make([]float64, 4+len(s.cam.D))
	free := o.free()
	freedom := s.n - len(free) - 6*len(s.poses)
	variance := max(s.ssr/float64(max(freedom, 1)), surest*surest)
	for k, i := range free {
		r.Sigma[i] = math.Sqrt(s.cov.At(k, k)*variance) * s.scale(i)
	}
	return r
}

// scale is what an intrinsic is measured in during the search: the focal lengths and the principal point in shares of
// the width, the coefficients as they are.
func (s *solution) scale(i int) float64 { return scaleOf(&s.cam, i) }

func scaleOf(c *Camera, i int) float64 {
	if i < 4 {
		return float64(c.Width)
	}
	return 1
}

// solve searches with all views.
func solve(views []View, o Options) (*solution, error) {
	first, poses, err := start(views, o)
	if err != nil {
		return nil, err
	}
	free := o.free()
	shared := make([]float64, len(free))
	for k, i := range free {
		shared[k] = first.Vector()[i] / scaleOf(&first, i)
	}
	own, sizes := make([][]float64, len(views)), make([]int, len(views))
	for g, p := range poses {
		own[g] = append(append([]float64(nil), p.Rotation[:]...), p.Translation[:]...)
		sizes[g] = 2 * len(views[g].Points)
	}
	b := &bundle{views: views, free: free, base: first}
	res, err := lm.SolveBlocks(lm.Blocks{Shared: len(free), Own: 6, Residuals: sizes, Evaluate: b.evaluate}, shared, own, lm.Options{MaxIterations: 300, Tolerance: 1e-9})
	if err != nil {
		return nil, fmt.Errorf("cam: %w: tilt the board, and show it in all corners of the picture", err)
	}
	s := &solution{cam: b.camera(res.Shared), cov: res.Covariance, ssr: res.SSR, iter: res.Iterations}
	s.cam.D = slices.Clone(s.cam.D)
	if err := s.cam.check(); err != nil {
		return nil, err
	}
	for g := range views {
		sum := 0.0
		for _, r := range res.R[g] {
			sum += r * r
		}
		s.n += len(res.R[g])
		s.rms = append(s.rms, math.Sqrt(sum/float64(len(res.R[g])/2)))
		s.poses = append(s.poses, poseIn(res.Own[g]))
	}
	return s, nil
}

func poseIn(v []float64) Pose {
	return Pose{[3]float64{v[0], v[1], v[2]}, [3]float64{v[3], v[4], v[5]}}
}

// bundle evaluates the search's residuals.
type bundle struct {
	views []View
	free  []int
	base  Camera
}

func (b *bundle) camera(shared []float64) Camera {
	v := b.base.Vector()
	for k, i := range b.free {
		v[i] = shared[k] * scaleOf(&b.base, i)
	}
	return b.base.with(v)
}

// far is the residual of a point that is behind the camera, px.
const far = 1e4

func (b *bundle) residuals(g int, c *Camera, p Pose, r []float64) {
	m := matrix(p.Rotation)
	for k, q := range b.views[g].Points {
		x, y, z := p.apply(&m, q.X, q.Y)
		u, v, ok := c.Project(x, y, z)
		if !ok {
			r[2*k], r[2*k+1] = far, far
			continue
		}
		r[2*k], r[2*k+1] = u-q.U, v-q.V
	}
}

// evaluate is lm.Blocks' function: derivatives are central differences.
func (b *bundle) evaluate(g int, shared, own, r []float64, jacShared, jacOwn *mat.Dense) {
	c := b.camera(shared)
	b.residuals(g, &c, poseIn(own), r)
	if jacShared == nil {
		return
	}
	const h = 1e-6
	lo, hi := make([]float64, len(r)), make([]float64, len(r))
	column := func(j *mat.Dense, k int) {
		for i := range r {
			j.Set(i, k, (hi[i]-lo[i])/(2*h))
		}
	}
	x := slices.Clone(shared)
	for k := range x {
		x[k] = shared[k] + h
		c = b.camera(x)
		b.residuals(g, &c, poseIn(own), hi)
		x[k] = shared[k] - h
		c = b.camera(x)
		b.residuals(g, &c, poseIn(own), lo)
		x[k] = shared[k]
		column(jacShared, k)
	}
	c = b.camera(shared)
	x = slices.Clone(own)
	for k := range x {
		x[k] = own[k] + h
		b.residuals(g, &c, poseIn(x), hi)
		x[k] = own[k] - h
		b.residuals(g, &c, poseIn(x), lo)
		x[k] = own[k]
		column(jacOwn, k)
	}
}
