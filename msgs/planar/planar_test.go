// SPDX-License-Identifier: Apache-2.0

package planar_test

import (
	"errors"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/planar"
)

// rpy returns the quaternion of rotations about the fixed axes x, y, z.
func rpy(roll, pitch, yaw float64) geometry_msgs.Quaternion {
	sr, cr := math.Sincos(roll / 2)
	sp, cp := math.Sincos(pitch / 2)
	sy, cy := math.Sincos(yaw / 2)
	return geometry_msgs.Quaternion{
		X: sr*cp*cy - cr*sp*sy, Y: cr*sp*cy + sr*cp*sy, Z: cr*cp*sy - sr*sp*cy, W: cr*cp*cy + sr*sp*sy,
	}
}

// TestHeadingIsWholeOrRefused: yaw, small tilts, lengths near 1; everything else is refused by name.
func TestHeadingIsWholeOrRefused(t *testing.T) {
	scaled := rpy(0, 0, 1)
	scaled.Z, scaled.W = scaled.Z*1.009, scaled.W*1.009
	for _, c := range []struct {
		name string
		q    geometry_msgs.Quaternion
		yaw  float64
		err  error
	}{
		{"none", rpy(0, 0, 0), 0, nil},
		{"a quarter", rpy(0, 0, math.Pi/2), math.Pi / 2, nil},
		{"negated", geometry_msgs.Quaternion{Z: -math.Sqrt2 / 2, W: -math.Sqrt2 / 2}, math.Pi / 2, nil},
		{"back", rpy(0, 0, -3), -3, nil},
		{"a ramp", rpy(0.03, -0.05, 1.2), 1.2, nil},
		{"nearly of length 1", scaled, 1, nil},
		{"rolled", rpy(0.2, 0, 0), 0, planar.ErrTilted},
		{"pitched", rpy(0, -0.2, 0), 0, planar.ErrTilted},
		{"upside down", rpy(math.Pi, 0, 0.3), 0, planar.ErrTilted},
		{"zeros", geometry_msgs.Quaternion{}, 0, planar.ErrRotation},
		{"too long", geometry_msgs.Quaternion{W: 2}, 0, planar.ErrRotation},
		{"too short", geometry_msgs.Quaternion{Z: 0.7, W: 0.6}, 0, planar.ErrRotation},
		{"not a number", geometry_msgs.Quaternion{W: math.NaN()}, 0, planar.ErrRotation},
		{"infinite", geometry_msgs.Quaternion{X: math.Inf(1), W: 1}, 0, planar.ErrRotation},
	} {
		yaw, err := planar.Heading(c.q)
		if !errors.Is(err, c.err) || err == nil && math.Abs(yaw-c.yaw) > 1e-9 {
			t.Errorf("%s: %v, %v", c.name, yaw, err)
		}
	}
}

// TestRotationsTurnVectors: composition and application agree, and the angles are those it was made of.
func TestRotationsTurnVectors(t *testing.T) {
	a, err1 := planar.RotationOf(rpy(0.3, -0.7, 2))
	b, err2 := planar.RotationOf(rpy(-1, 0.2, 0.5))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	x, y, z := b.Apply(1, 2, 3)
	x, y, z = a.Apply(x, y, z)
	bx, by, bz := a.After(b).Apply(1, 2, 3)
	if d := math.Abs(x-bx) + math.Abs(y-by) + math.Abs(z-bz); d > 1e-12 {
		t.Error(d)
	}
	if d := math.Abs(a.Roll()-0.3) + math.Abs(a.Pitch()+0.7) + math.Abs(a.Yaw()-2); d > 1e-12 {
		t.Error(a.Roll(), a.Pitch(), a.Yaw())
	}
	if r, err := planar.OptionalRotationOf(geometry_msgs.Quaternion{}); err != nil || r != planar.Identity() {
		t.Error(r, err)
	}
}

// TestPositionsAreFiniteAndOnTheFloor: a pose in the plane has no height.
func TestPositionsAreFiniteAndOnTheFloor(t *testing.T) {
	for _, c := range []struct {
		p   geometry_msgs.Point
		err error
	}{
		{geometry_msgs.Point{X: 1, Z: 0.05}, nil},
		{geometry_msgs.Point{Z: 0.5}, planar.ErrHeight},
		{geometry_msgs.Point{Z: -1}, planar.ErrHeight},
		{geometry_msgs.Point{X: math.NaN()}, planar.ErrPosition},
		{geometry_msgs.Point{Z: math.Inf(1)}, planar.ErrPosition},
	} {
		if err := planar.OnFloor(c.p); !errors.Is(err, c.err) {
			t.Errorf("%v: %v", c.p, err)
		}
	}
	tf := geometry_msgs.Transform{Translation: geometry_msgs.Vector3{X: 1, Y: 2, Z: 3}, Rotation: rpy(0, 0, 0.5)}
	if p, err := planar.TransformOf(tf); err != nil || math.Abs(p.X-1)+math.Abs(p.Y-2)+math.Abs(p.Theta-0.5) > 1e-12 {
		t.Error(p, err)
	}
	tf.Translation.Y = math.NaN()
	if _, err := planar.TransformOf(tf); !errors.Is(err, planar.ErrPosition) {
		t.Error(err)
	}
}
