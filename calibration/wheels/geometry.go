// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"errors"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// errData is matched by errors about unusable runs.
var errData = errors.New("wheels: bad data")

// Geometry is the geometry of a differential drive.
type Geometry struct {
	Left, Right float64 // radii, m
	Distance    float64 // between the wheels' contact points, m
}

// Nominal returns the geometry of the technical drawing.
func Nominal() Geometry { return Geometry{robot.WheelRadius, robot.WheelRadius, robot.WheelDistance} }

// FromRatio returns the geometry for a mean radius (m), the ratio of the right radius to the left, and a distance
// (m).
func FromRatio(mean, ratio, distance float64) Geometry {
	left := 2 * mean / (1 + ratio)
	return Geometry{left, left * ratio, distance}
}

// Radius returns the mean of both radii, m.
func (g Geometry) Radius() float64 { return (g.Left + g.Right) / 2 }

// Ratio returns the ratio of the right radius to the left.
func (g Geometry) Ratio() float64 { return g.Right / g.Left }

// scaled returns the geometry with relative changes of left radius, right radius and distance.
func (g Geometry) scaled(x []float64) Geometry {
	return Geometry{g.Left * (1 + x[0]), g.Right * (1 + x[1]), g.Distance * (1 + x[2])}
}

func (g Geometry) check() error {
	for _, v := range [...]float64{g.Left, g.Right, g.Distance} {
		if !(v > 1e-4 && v < 10) {
			return fmt.Errorf("%w: geometry %+v m", errData, g)
		}
	}
	return nil
}

// Pose is a pose on the floor relative to the start, m and rad: x forward, y to the left, anticlockwise.
type Pose struct{ X, Y, Theta float64 }

// Turn holds the rotations of both wheels during a sampling interval, rad, forward positive.
type Turn struct{ Left, Right float64 }

// advance returns the pose after a turn of the wheels, along an arc.
func (g Geometry) advance(p Pose, t Turn) Pose {
	l, r := t.Left*g.Left, t.Right*g.Right
	path, turn := (l+r)/2, (r-l)/g.Distance
	chord := path * sinc(turn/2)
	sin, cos := math.Sincos(p.Theta + turn/2)
	return Pose{p.X + chord*cos, p.Y + chord*sin, p.Theta + turn}
}

// sinc returns sin(x)/x.
func sinc(x float64) float64 {
	if math.Abs(x) < 1e-4 {
		return 1 - x*x/6
	}
	return math.Sin(x) / x
}

// End returns the pose to which the turns lead from the origin. The heading is not wrapped.
func (g Geometry) End(turns []Turn) Pose {
	var p Pose
	for _, t := range turns {
		p = g.advance(p, t)
	}
	return p
}

// spread returns the covariance (x, y, theta, row-major) of the end pose for wheels whose slip has a standard
// deviation of 1 m after 1 m, with a variance proportional to the path and independent wheels: the model of package
// odometry.
func (g Geometry) spread(turns []Turn) (q [9]float64) {
	var p Pose
	for _, t := range turns {
		l, r := t.Left*g.Left, t.Right*g.Right
		path, turn := (l+r)/2, (r-l)/g.Distance
		sin, cos := math.Sincos(p.Theta + turn/2)
		p = g.advance(p, t)
		al, ar, b := math.Abs(l), math.Abs(r), g.Distance
		pp, pt, tt := (al+ar)/4, (ar-al)/(2*b), (al+ar)/(b*b)
		fx, fy := -path*sin, path*cos
		gx, gy := fx/2, fy/2
		xx := q[0] + 2*fx*q[2] + fx*fx*q[8] + cos*cos*pp + 2*cos*gx*pt + gx*gx*tt
		xy := q[1] + fy*q[2] + fx*q[5] + fx*fy*q[8] + cos*sin*pp + (cos*gy+sin*gx)*pt + gx*gy*tt
		yy := q[4] + 2*fy*q[5] + fy*fy*q[8] + sin*sin*pp + 2*sin*gy*pt + gy*gy*tt
		xt, yt := q[2]+fx*q[8]+cos*pt+gx*tt, q[5]+fy*q[8]+sin*pt+gy*tt
		q = [9]float64{xx, xy, xt, xy, yy, yt, xt, yt, q[8] + tt}
	}
	return q
}

// wrap returns the equivalent angle in [−π, π].
func wrap(a float64) float64 { return math.Remainder(a, 2*math.Pi) }
