// SPDX-License-Identifier: Apache-2.0

package cam

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// zhang returns the focal lengths, px, that follow from the views' homographies if the principal point is the
// picture's centre and there is no skew: the images of the plane's axes are orthogonal and equally long (Zhang's
// equations 3 and 4).
func zhang(views []View, width, height int) (fx, fy float64, err error) {
	cx, cy := float64(width-1)/2, float64(height-1)/2
	a, b := mat.NewDense(2*len(views), 2, nil), mat.NewVecDense(2*len(views), nil)
	for k, v := range views {
		h, err := homography(v.Points, func(p Point) (float64, float64, bool) { return p.U - cx, p.V - cy, true })
		if err != nil {
			return 0, 0, fmt.Errorf("view %q: %w", v.Name, err)
		}
		n1 := math.Sqrt(h[0]*h[0] + h[3]*h[3] + h[6]*h[6]*cx*cx)
		n2 := math.Sqrt(h[1]*h[1] + h[4]*h[4] + h[7]*h[7]*cx*cx)
		w := 1 / (n1 * n2)
		// h1ᵀ·B·h2 = 0 and h1ᵀ·B·h1 = h2ᵀ·B·h2 with B = diag(1/fx², 1/fy², 1)
		a.SetRow(2*k, []float64{w * h[0] * h[1], w * h[3] * h[4]})
		b.SetVec(2*k, -w*h[6]*h[7])
		a.SetRow(2*k+1, []float64{w * (h[0]*h[0] - h[1]*h[1]), w * (h[3]*h[3] - h[4]*h[4])})
		b.SetVec(2*k+1, -w*(h[6]*h[6]-h[7]*h[7]))
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil || !(x.AtVec(0) > 0 && x.AtVec(1) > 0) {
		return 0, 0, fmt.Errorf("%w: the views do not determine the focal length: tilt the board more", errData)
	}
	return 1 / math.Sqrt(x.AtVec(0)), 1 / math.Sqrt(x.AtVec(1)), nil
}

// initialGuess returns intrinsics and poses from which the optimization converges: Zhang's estimate or a camera with
// a usual field of view, whichever has the smaller reprojection error.
func initialGuess(views []View, o Options) (Camera, []Pose, error) {
	base := Camera{Width: o.Width, Height: o.Height, Model: o.Model, D: make([]float64, o.Model.Coefficients())}
	base.CX, base.CY = float64(o.Width-1)/2, float64(o.Height-1)/2
	type focal struct{ x, y float64 }
	var tries []focal
	if x, y, err := zhang(views, o.Width, o.Height); err == nil && x > 0.1*float64(o.Width) && x < 20*float64(o.Width) {
		tries = append(tries, focal{x, y})
	}
	for _, k := range []float64{0.3, 0.42, 0.6, 0.85, 1.2, 1.7, 2.4} {
		f := k * float64(o.Width)
		tries = append(tries, focal{f, f})
	}
	best := math.Inf(1)
	var cam Camera
	var poses []Pose
	for _, f := range tries {
		c := base
		c.FX, c.FY = f.x, f.y
		p, cost := posesOf(c, views)
		if cost < best {
			best, cam, poses = cost, c, p
		}
	}
	if poses == nil {
		return cam, nil, fmt.Errorf("%w: no focal length explains the views", errData)
	}
	return cam, poses, nil
}

// posesOf returns the pose of each view for a camera, and the sum of squared residuals. It returns nil and +Inf if a
// view has no pose.
func posesOf(c Camera, views []View) ([]Pose, float64) {
	var out []Pose
	sum := 0.0
	for _, v := range views {
		h, err := homography(v.Points, func(p Point) (float64, float64, bool) { return c.Ray(p.U, p.V) })
		if err != nil {
			return nil, math.Inf(1)
		}
		p, err := poseOf(h)
		if err != nil {
			return nil, math.Inf(1)
		}
		m := matrix(p.Rotation)
		for _, q := range v.Points {
			x, y, z := p.apply(&m, q.X, q.Y)
			a, b, ok := c.Project(x, y, z)
			if !ok {
				return nil, math.Inf(1)
			}
			sum += (a-q.U)*(a-q.U) + (b-q.V)*(b-q.V)
		}
		out = append(out, p)
	}
	return out, sum
}
