// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"errors"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// errData is matched by runs that are no use, with the reason and the run's name.
var errData = errors.New("wheels: bad data")

// Geometry is that of the drive.
type Geometry struct {
	Left, Right float64 // radii, m
	Distance    float64 // between the wheels' contact points, m
}

// Nominal is the geometry of the drawing.
func Nominal() Geometry { return Geometry{robot.WheelRadius, robot.WheelRadius, robot.WheelDistance} }

// FromRatio gives the geometry with a mean radius (m) and the right radius over the left.
func FromRatio(mean, ratio, distance float64) Geometry {
	left := 2 * mean / (1 + ratio)
	return Geometry{left, left * ratio, distance}
}

// Radius is the mean of both radii, m.
func (g Geometry) Radius() float64 { return (g.Left + g.Right) / 2 }

// Ratio is the right radius over the left.
func (g Geometry) Ratio() float64 { return g.Right / g.Left }

// scaled changes each measure by a share.
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

// Pose is a place on the floor, m and rad: x forward from the start, y to its left, anticlockwise.
type Pose struct{ X, Y, Theta float64 }

// Turn is what both wheels turned in a short time, rad, forward positive.
type Turn struct{ Left, Right float64 }

// advance moves a pose along the arc that the wheels make.
func (g Geometry) advance(p Pose, t Turn) Pose {
	l, r := t.Left*g.Left, t.Right*g.Right
	path, turn := (l+r)/2, (r-l)/g.Distance
	chord := path * sinc(turn/2)
	sin, cos := math.Sincos(p.Theta + turn/2)
	return Pose{p.X + chord*cos, p.Y + chord*sin, p.Theta + turn}
}

// sinc is sin(x)/x.
func sinc(x float64) float64 {
	if math.Abs(x) < 1e-4 {
		return 1 - x*x/6
	}
	return math.Sin(x) / x
}

// End is where the turns of the wheels lead from the origin. The heading is not wrapped.
func (g Geometry) End(turns []Turn) Pose {
	var p Pose
	for _, t := range turns {
		p = g.advance(p, t)
	}
	return p
}

// spread is the covariance (x, y, theta, row-major) of the end of a way whose wheels slip by 1 m after 1 m of it,
// variance in proportion to the way, wheels independent: the model of package odometry.
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

// wrap brings an angle into [−π, π].
func wrap(a float64) float64 { return math.Remainder(a, 2*math.Pi) }
