// SPDX-License-Identifier: Apache-2.0

package planar

import (
	"errors"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
)

var (
	// ErrRotation is matched by a quaternion that is no rotation: not finite, or not of length 1.
	ErrRotation = errors.New("no rotation")
	// ErrTilted is matched by a rotation that has no place in a plane: the pose leans, or is upside down.
	ErrTilted = errors.New("not in the plane")
	// ErrHeight is matched by a position that is above or below the plane.
	ErrHeight = errors.New("not on the floor")
	// ErrPosition is matched by a position that is not finite.
	ErrPosition = errors.New("no position")
)

const (
	// maxLengthError is how much the length of a quaternion may differ from 1.
	maxLengthError = 0.01
	// MaxTilt is how much a pose in the plane may lean, rad.
	MaxTilt = 5 * math.Pi / 180
	// maxHeight is how far a pose on the floor may be above or below it, m.
	maxHeight = 0.1
)

// Rotation is a rotation in space as a matrix whose columns are the turned axes.
type Rotation [3][3]float64

// Identity is no rotation.
func Identity() Rotation { return Rotation{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} }

// RotationOf returns the rotation of a quaternion. The error matches [ErrRotation].
func RotationOf(q geometry_msgs.Quaternion) (Rotation, error) {
	n := math.Sqrt(q.X*q.X + q.Y*q.Y + q.Z*q.Z + q.W*q.W)
	if !(math.Abs(n-1) <= maxLengthError) {
		return Rotation{}, fmt.Errorf("%w: quaternion (%g, %g, %g, %g) is of length %g, not 1", ErrRotation, q.X, q.Y, q.Z, q.W, n)
	}
	x, y, z, w := q.X/n, q.Y/n, q.Z/n, q.W/n
	return Rotation{
		{1 - 2*(y*y+z*z), 2 * (x*y - w*z), 2 * (x*z + w*y)},
		{2 * (x*y + w*z), 1 - 2*(x*x+z*z), 2 * (y*z - w*x)},
		{2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2*(x*x+y*y)},
	}, nil
}

// OptionalRotationOf is [RotationOf], but a quaternion of zeros, an unset one, is no rotation.
func OptionalRotationOf(q geometry_msgs.Quaternion) (Rotation, error) {
	if q == (geometry_msgs.Quaternion{}) {
		return Identity(), nil
	}
	return RotationOf(q)
}

// Apply returns a vector after the rotation.
func (r Rotation) Apply(x, y, z float64) (rx, ry, rz float64) {
	return r[0][0]*x + r[0][1]*y + r[0][2]*z, r[1][0]*x + r[1][1]*y + r[1][2]*z, r[2][0]*x + r[2][1]*y + r[2][2]*z
}

// After returns the rotation that is first and then r.
func (r Rotation) After(first Rotation) (both Rotation) {
	for i := range 3 {
		for j := range 3 {
			both[i][j] = r[i][0]*first[0][j] + r[i][1]*first[1][j] + r[i][2]*first[2][j]
		}
	}
	return both
}

// Yaw returns the angle of the turned x axis in the plane, rad, in (−π, π].
func (r Rotation) Yaw() float64 { return math.Atan2(r[1][0], r[0][0]) }

// Pitch returns the angle between the turned x axis and the plane, rad, positive where it looks down.
func (r Rotation) Pitch() float64 { return -math.Asin(max(-1, min(1, r[2][0]))) }

// Roll returns the rotation about the turned x axis, rad, in (−π, π].
func (r Rotation) Roll() float64 { return math.Atan2(r[2][1], r[2][2]) }

// Tilt returns the angle between the turned z axis and z, rad, 0 to π.
func (r Rotation) Tilt() float64 { return math.Acos(max(-1, min(1, r[2][2]))) }

// Heading returns the yaw of a rotation in the plane, rad. The error matches [ErrTilted] beyond [MaxTilt].
func (r Rotation) Heading() (yaw float64, err error) {
	if tilt := r.Tilt(); tilt > MaxTilt {
		return 0, fmt.Errorf("%w: roll %.4g and pitch %.4g rad lean it by %.3g°, at most %.3g°", ErrTilted, r.Roll(), r.Pitch(),
			tilt*180/math.Pi, MaxTilt*180/math.Pi)
	}
	return r.Yaw(), nil
}

// Heading returns the yaw of a quaternion in the plane, rad. The error matches [ErrRotation] or [ErrTilted].
func Heading(q geometry_msgs.Quaternion) (yaw float64, err error) {
	r, err := RotationOf(q)
	if err != nil {
		return 0, err
	}
	return r.Heading()
}

// Pose is a position in the plane, m, and a heading, rad.
type Pose struct{ X, Y, Theta float64 }

// PoseOf returns a pose seen from above: its height has no effect. The error matches [ErrPosition], [ErrRotation] or
// [ErrTilted].
func PoseOf(m geometry_msgs.Pose) (Pose, error) {
	if err := checkPosition(m.Position.X, m.Position.Y, m.Position.Z); err != nil {
		return Pose{}, err
	}
	yaw, err := Heading(m.Orientation)
	return Pose{m.Position.X, m.Position.Y, yaw}, err
}

// TransformOf returns a transform seen from above, as [PoseOf] does.
func TransformOf(m geometry_msgs.Transform) (Pose, error) {
	t := m.Translation
	return PoseOf(geometry_msgs.Pose{Position: geometry_msgs.Point(t), Orientation: m.Rotation})
}

// OnFloor checks that a position is on the floor. The error matches [ErrPosition] or [ErrHeight].
func OnFloor(p geometry_msgs.Point) error {
	if err := checkPosition(p.X, p.Y, p.Z); err != nil {
		return err
	}
	if math.Abs(p.Z) > maxHeight {
		return fmt.Errorf("%w: z is %g m; the world is flat, at most %g m are taken as 0", ErrHeight, p.Z, maxHeight)
	}
	return nil
}

func checkPosition(x, y, z float64) error {
	if sum := x - x + y - y + z - z; sum != 0 { // NaN for what is not finite
		return fmt.Errorf("%w: (%g, %g, %g) m is not finite", ErrPosition, x, y, z)
	}
	return nil
}
