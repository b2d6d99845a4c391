// SPDX-License-Identifier: Apache-2.0

package cam

import (
	"fmt"
	"math"
)

// Model names a distortion model as sensor_msgs/CameraInfo does.
type Model string

// The models.
const (
	PlumbBob    Model = "plumb_bob"           // k1 k2 p1 p2 k3
	Rational    Model = "rational_polynomial" // k1 k2 p1 p2 k3 k4 k5 k6
	Equidistant Model = "equidistant"         // k1 k2 k3 k4 of OpenCV's fisheye model
)

// Coefficients returns the number of a model's distortion coefficients, 0 for an unknown model.
func (m Model) Coefficients() int {
	switch m {
	case PlumbBob:
		return 5
	case Rational:
		return 8
	case Equidistant:
		return 4
	}
	return 0
}

// Names returns the names of a model's intrinsics, in the order of [Camera.Vector].
func (m Model) Names() []string {
	names := []string{"fx", "fy", "cx", "cy"}
	switch m {
	case PlumbBob:
		return append(names, "k1", "k2", "p1", "p2", "k3")
	case Rational:
		return append(names, "k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6")
	}
	return append(names, "k1", "k2", "k3", "k4")
}

// Camera holds the intrinsics of a camera.
type Camera struct {
	Width, Height  int // px
	Model          Model
	FX, FY, CX, CY float64   // px
	D              []float64 // the model's coefficients
}

// Vector returns the intrinsics as one vector: fx fy cx cy and the coefficients.
func (c *Camera) Vector() []float64 { return append([]float64{c.FX, c.FY, c.CX, c.CY}, c.D...) }

// with returns a copy of the camera with the intrinsics of a vector.
func (c *Camera) with(v []float64) Camera {
	out := *c
	out.FX, out.FY, out.CX, out.CY = v[0], v[1], v[2], v[3]
	out.D = v[4:]
	return out
}

// check returns an error that matches errData if the model is unknown or an intrinsic is invalid.
func (c *Camera) check() error {
	if n := c.Model.Coefficients(); n == 0 || n != len(c.D) {
		return fmt.Errorf("%w: model %q with %d coefficients", errData, c.Model, len(c.D))
	}
	for i, v := range c.Vector() {
		if math.IsNaN(v) || math.IsInf(v, 0) || i < 2 && v <= 0 {
			return fmt.Errorf("%w: %s is %v", errData, c.Model.Names()[i], v)
		}
	}
	return nil
}

// Project returns the pixel of a point in the camera's frame (x right, y down, z forward). ok is false behind the
// camera.
func (c *Camera) Project(x, y, z float64) (u, v float64, ok bool) {
	if c.Model == Equidistant {
		r := math.Hypot(x, y)
		theta := math.Atan2(r, z)
		scale := 1 / z
		switch {
		case r > 1e-12:
			scale = c.distortAngle(theta) / r
		case z <= 0:
			return 0, 0, false
		}
		return c.FX*x*scale + c.CX, c.FY*y*scale + c.CY, true
	}
	if z <= 0 {
		return 0, 0, false
	}
	a, b := c.distort(x/z, y/z)
	return c.FX*a + c.CX, c.FY*b + c.CY, true
}

// distortAngle returns the distorted angle θ_d of the equidistant model, rad.
func (c *Camera) distortAngle(theta float64) float64 {
	t := theta * theta
	return theta * (1 + t*(c.D[0]+t*(c.D[1]+t*(c.D[2]+t*c.D[3]))))
}

// distort returns the polynomial models' distorted point in the plane z = 1.
func (c *Camera) distort(x, y float64) (float64, float64) {
	r := x*x + y*y
	d := c.D
	radial := 1 + r*(d[0]+r*(d[1]+r*d[4]))
	if c.Model == Rational {
		radial /= 1 + r*(d[5]+r*(d[6]+r*d[7]))
	}
	p1, p2 := d[2], d[3]
	return x*radial + 2*p1*x*y + p2*(r+2*x*x), y*radial + p1*(r+2*y*y) + 2*p2*x*y
}

// Ray returns the direction (in the plane z = 1) of the ray that a pixel sees. ok is false where the model can't be
// inverted.
func (c *Camera) Ray(u, v float64) (x, y float64, ok bool) {
	a, b := (u-c.CX)/c.FX, (v-c.CY)/c.FY
	if c.Model == Equidistant {
		rd := math.Hypot(a, b)
		if rd < 1e-12 {
			return a, b, true
		}
		theta := rd
		for range 30 {
			const h = 1e-7
			slope := (c.distortAngle(theta+h) - c.distortAngle(theta-h)) / (2 * h)
			step := (c.distortAngle(theta) - rd) / slope
			theta -= step
			if math.Abs(step) < 1e-13 {
				break
			}
		}
		if !(theta > 0 && theta < math.Pi/2-0.01) || math.Abs(c.distortAngle(theta)-rd) > 1e-9 {
			return 0, 0, false
		}
		s := math.Tan(theta) / rd
		return a * s, b * s, true
	}
	x, y = a, b
	for range 60 { // Newton's method: the fixed point of OpenCV's undistortPoints does not always converge
		const h = 1e-6
		fx, fy := c.distort(x, y)
		ex, ey := fx-a, fy-b
		x1, y1 := c.distort(x+h, y)
		x2, y2 := c.distort(x, y+h)
		j00, j10, j01, j11 := (x1-fx)/h, (y1-fy)/h, (x2-fx)/h, (y2-fy)/h
		det := j00*j11 - j01*j10
		if math.Abs(ex)+math.Abs(ey) < 1e-13 {
			return x, y, det > 0 && x*a+y*b >= 0 // otherwise the solution belongs to another pixel
		}
		if math.Abs(det) < 1e-9 {
			return 0, 0, false
		}
		x, y = x-(ex*j11-ey*j01)/det, y-(ey*j00-ex*j10)/det
		if !(math.Abs(x)+math.Abs(y) < 1e3) {
			return 0, 0, false
		}
	}
	fx, fy := c.distort(x, y)
	return x, y, math.Abs(fx-a)+math.Abs(fy-b) < 1e-9 && x*a+y*b >= 0
}

// Projection returns the 3×4 matrix P of CameraInfo for the undistorted picture: the largest view without empty
// pixels at its edges, as OpenCV's getOptimalNewCameraMatrix computes it for alpha 0. The error matches errData if
// the distortion can't be inverted.
func (c *Camera) Projection() ([12]float64, error) {
	const n = 9
	inner := [4]float64{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)} // left, top, right, bottom
	for j := range n {
		for i := range n {
			u, v := float64(i)*float64(c.Width)/(n-1), float64(j)*float64(c.Height)/(n-1)
			x, y, ok := c.Ray(u, v)
			if !ok {
				return [12]float64{}, fmt.Errorf("%w: the distortion can't be undone at pixel %.0f, %.0f", errData, u, v)
			}
			if i == 0 {
				inner[0] = max(inner[0], x)
			}
			if i == n-1 {
				inner[2] = min(inner[2], x)
			}
			if j == 0 {
				inner[1] = max(inner[1], y)
			}
			if j == n-1 {
				inner[3] = min(inner[3], y)
			}
		}
	}
	w, h := inner[2]-inner[0], inner[3]-inner[1]
	if !(w > 0 && h > 0) {
		return [12]float64{}, fmt.Errorf("%w: nothing is left of the undistorted picture", errData)
	}
	fx, fy := float64(c.Width-1)/w, float64(c.Height-1)/h
	return [12]float64{fx, 0, -fx * inner[0], 0, 0, fy, -fy * inner[1], 0, 0, 0, 1, 0}, nil
}
