// SPDX-License-Identifier: Apache-2.0

package cam

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// errData is matched by errors about unusable views or options.
var errData = errors.New("cam: bad data")

// Point is a point of the plane, m, and its position in the picture, px.
type Point struct{ X, Y, U, V float64 }

// View is one picture of the plane.
type View struct {
	Name   string
	Points []Point
}

// Pose is the pose of the plane in the camera's frame: rotation vector (rad) and translation (m).
type Pose struct{ Rotation, Translation [3]float64 }

// matrix returns the rotation matrix of a rotation vector, row-major (Rodrigues).
func matrix(r [3]float64) (m [9]float64) {
	angle := math.Sqrt(r[0]*r[0] + r[1]*r[1] + r[2]*r[2])
	s, c := 1.0, 0.5 // sin(a)/a and (1−cos a)/a²
	if angle > 1e-8 {
		s, c = math.Sin(angle)/angle, (1-math.Cos(angle))/(angle*angle)
	}
	x, y, z := r[0], r[1], r[2]
	m = [9]float64{
		1 - c*(y*y+z*z), c*x*y - s*z, c*x*z + s*y,
		c*x*y + s*z, 1 - c*(x*x+z*z), c*y*z - s*x,
		c*x*z - s*y, c*y*z + s*x, 1 - c*(x*x+y*y),
	}
	return m
}

// vector returns the rotation vector of a rotation matrix.
func vector(m [9]float64) [3]float64 {
	v := [3]float64{m[7] - m[5], m[2] - m[6], m[3] - m[1]}
	sin := math.Sqrt(v[0]*v[0]+v[1]*v[1]+v[2]*v[2]) / 2
	cos := (m[0] + m[4] + m[8] - 1) / 2
	angle := math.Atan2(sin, cos)
	if sin > 1e-6 {
		k := angle / (2 * sin)
		return [3]float64{v[0] * k, v[1] * k, v[2] * k}
	}
	if cos > 0 {
		return [3]float64{v[0] / 2, v[1] / 2, v[2] / 2}
	}
	// Half a turn: the axis is the column of (m + 1)/2 that is longest.
	best := 0
	for i := range 3 {
		if m[4*i] > m[4*best] {
			best = i
		}
	}
	n := math.Sqrt((m[4*best] + 1) / 2)
	var out [3]float64
	for i := range 3 {
		out[i] = (m[3*i+best] + m[3*best+i]) / (4 * n) * math.Pi
	}
	out[best] = n * math.Pi
	return out
}

// apply transforms a point of the plane to the camera's frame; m is the matrix of the pose's rotation.
func (p *Pose) apply(m *[9]float64, x, y float64) (float64, float64, float64) {
	t := &p.Translation
	return m[0]*x + m[1]*y + t[0], m[3]*x + m[4]*y + t[1], m[6]*x + m[7]*y + t[2]
}

// homography returns the homography from the plane (m) to the coordinates a, b of its points, by the normalized
// direct linear transform. Points whose ok is false are left out.
func homography(pts []Point, ab func(p Point) (a, b float64, ok bool)) (h [9]float64, err error) {
	var rows [][4]float64
	for _, p := range pts {
		if a, b, ok := ab(p); ok {
			rows = append(rows, [4]float64{p.X, p.Y, a, b})
		}
	}
	if len(rows) < 4 {
		return h, fmt.Errorf("%w: %d points, at least 4 are needed", errData, len(rows))
	}
	n1, n2 := normalization(rows, 0), normalization(rows, 2)
	a := mat.NewDense(2*len(rows), 9, nil)
	for k, r := range rows {
		x, y := (r[0]-n1[0])*n1[2], (r[1]-n1[1])*n1[2]
		u, v := (r[2]-n2[0])*n2[2], (r[3]-n2[1])*n2[2]
		a.SetRow(2*k, []float64{x, y, 1, 0, 0, 0, -u * x, -u * y, -u})
		a.SetRow(2*k+1, []float64{0, 0, 0, x, y, 1, -v * x, -v * y, -v})
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return h, fmt.Errorf("%w: the points do not span a plane", errData)
	}
	s := svd.Values(nil)
	if s[7] < 1e-9*s[0] {
		return h, fmt.Errorf("%w: the points are collinear", errData)
	}
	var v mat.Dense
	svd.VTo(&v)
	var q [9]float64
	for k := range q {
		q[k] = v.At(k, 8)
	}
	// h = T2⁻¹·q·T1
	for k := range 3 {
		q[k], q[3+k] = q[k]/n2[2]+q[6+k]*n2[0], q[3+k]/n2[2]+q[6+k]*n2[1]
	}
	for r := range 3 {
		x, y := q[3*r]*n1[2], q[3*r+1]*n1[2]
		h[3*r], h[3*r+1], h[3*r+2] = x, y, q[3*r+2]-x*n1[0]-y*n1[1]
	}
	return h, nil
}

// normalization returns the centroid of two columns and the factor that scales the mean distance from it to √2.
func normalization(rows [][4]float64, col int) (n [3]float64) {
	for _, r := range rows {
		n[0] += r[col] / float64(len(rows))
		n[1] += r[col+1] / float64(len(rows))
	}
	d := 0.0
	for _, r := range rows {
		d += math.Hypot(r[col]-n[0], r[col+1]-n[1]) / float64(len(rows))
	}
	n[2] = math.Sqrt2 / math.Max(d, 1e-12)
	return n
}

// poseOf computes a pose from a homography to the plane z = 1.
func poseOf(h [9]float64) (Pose, error) {
	l1, l2 := math.Hypot(math.Hypot(h[0], h[3]), h[6]), math.Hypot(math.Hypot(h[1], h[4]), h[7])
	s := 2 / (l1 + l2)
	if h[8] < 0 {
		s = -s
	}
	if !(math.Abs(s) < 1e12) {
		return Pose{}, fmt.Errorf("%w: no pose", errData)
	}
	r1 := [3]float64{h[0] * s, h[3] * s, h[6] * s}
	r2 := [3]float64{h[1] * s, h[4] * s, h[7] * s}
	r3 := [3]float64{r1[1]*r2[2] - r1[2]*r2[1], r1[2]*r2[0] - r1[0]*r2[2], r1[0]*r2[1] - r1[1]*r2[0]}
	m := mat.NewDense(3, 3, []float64{r1[0], r2[0], r3[0], r1[1], r2[1], r3[1], r1[2], r2[2], r3[2]})
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDFull) {
		return Pose{}, fmt.Errorf("%w: no pose", errData)
	}
	var u, v, r mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	r.Mul(&u, v.T())
	var q [9]float64
	for i := range q {
		q[i] = r.At(i/3, i%3)
	}
	return Pose{vector(q), [3]float64{h[2] * s, h[5] * s, h[8] * s}}, nil
}
