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

// free returns the indices in [Camera.Vector] of the intrinsics that are estimated.
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

// ViewResult is the fit of one view.
type ViewResult struct {
	Name string
	RMS  float64 // px
	Pose Pose
	// Dropped is the reason why the view was left out; empty if it was used.
	Dropped string
}

// Result is the result of [Calibrate].
type Result struct {
	Camera Camera
	// Sigma is the standard deviation of each intrinsic, in the order of [Camera.Vector]; 0 for those that were not
	// estimated. The numerator and the denominator of [Rational] can nearly cancel: then very different k1, k2 and k4
	// to k6 produce the same picture, and their true values are outside their standard deviations more often than
	// they should. The standard deviations of the other intrinsics are valid.
	Sigma []float64
	// RMS is the root mean square of the distances between the detected points and their reprojections, px, as OpenCV
	// computes it.
	RMS float64
	// Views are in the order of the argument of [Calibrate].
	Views      []ViewResult
	Iterations int
}

const (
	minNoise      = 0.01 // px: lower bound of the points' standard deviation, however small the residuals are
	maxFocalSigma = 0.05 // share of the focal length: results with a larger standard deviation are rejected
	minViews      = 3
	viewOutlier   = 3.0 // times the median RMS of the views
)

// Calibrate finds the intrinsics of the camera that took the views. It fails if an option is out of range, if fewer
// than three views are usable, if they do not determine the focal lengths (the error has the deviations), or if the
// search does not converge. The error matches lm.ErrWeak if the views leave parameters undetermined.
func Calibrate(views []View, o Options) (*Result, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	results := make([]ViewResult, len(views))
	var used []int
	for i, v := range views {
		results[i].Name = v.Name
		if err := checkView(v); err != nil {
			results[i].Dropped = err.Error()
		} else {
			used = append(used, i)
		}
	}
	for {
		if len(used) < minViews {
			return nil, fmt.Errorf("%w: %d good views of %d, at least %d are needed", errData, len(used), len(views), minViews)
		}
		chosen := make([]View, len(used))
		for k, i := range used {
			chosen[k] = views[i]
		}
		s, err := solve(chosen, o)
		if err != nil {
			return nil, err
		}
		for k, i := range used {
			results[i].RMS, results[i].Pose = s.rms[k], s.poses[k]
		}
		limit := viewOutlier * max(median(s.rms), 0.02)
		worst := slices.Index(s.rms, slices.Max(s.rms))
		if o.KeepAll || s.rms[worst] <= limit {
			r := s.result(results, o)
			if r.Sigma[0] > maxFocalSigma*r.Camera.FX || r.Sigma[1] > maxFocalSigma*r.Camera.FY {
				return nil, fmt.Errorf("%w: the views determine the focal lengths to %.0f and %.0f px only: tilt the board", errData, r.Sigma[0], r.Sigma[1])
			}
			return r, nil
		}
		results[used[worst]].Dropped = fmt.Sprintf("its points are %.2f px off, three times the usual %.2f px", s.rms[worst], median(s.rms))
		used = slices.Delete(used, worst, worst+1)
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

// solution is the result of one optimization.
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
	variance := max(s.ssr/float64(max(freedom, 1)), minNoise*minNoise)
	for k, i := range free {
		r.Sigma[i] = math.Sqrt(s.cov.At(k, k)*variance) * s.scale(i)
	}
	return r
}

// scale returns the unit of an intrinsic during the optimization: the picture's width for the focal lengths and the
// principal point, 1 for the coefficients.
func (s *solution) scale(i int) float64 { return scaleOf(&s.cam, i) }

func scaleOf(c *Camera, i int) float64 {
	if i < 4 {
		return float64(c.Width)
	}
	return 1
}

// solve optimizes the intrinsics and the poses of all views.
func solve(views []View, o Options) (*solution, error) {
	first, poses, err := initialGuess(views, o)
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

// bundle computes the residuals of the bundle adjustment.
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

// behindResidual is the residual of a point that is behind the camera, px.
const behindResidual = 1e4

func (b *bundle) residuals(g int, c *Camera, p Pose, r []float64) {
	m := matrix(p.Rotation)
	for k, q := range b.views[g].Points {
		x, y, z := p.apply(&m, q.X, q.Y)
		u, v, ok := c.Project(x, y, z)
		if !ok {
			r[2*k], r[2*k+1] = behindResidual, behindResidual
			continue
		}
		r[2*k], r[2*k+1] = u-q.U, v-q.V
	}
}

// evaluate implements lm.Blocks.Evaluate; derivatives are central differences.
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
