// SPDX-License-Identifier: Apache-2.0

package node

import (
	"errors"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/planar"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
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

// TestMapOfUsesTheWholeOrigin: one cell of a map of 4 by 2 m whose origin is at (1, 2), 2.5 m along its x and 0.5 m
// along its y.
func TestMapOfUsesTheWholeOrigin(t *testing.T) {
	for _, c := range []struct {
		name string
		q    geometry_msgs.Quaternion
		x, y float64
		err  error
	}{
		{"unset", geometry_msgs.Quaternion{}, 3.5, 2.5, nil},
		{"not turned", rpy(0, 0, 0), 3.5, 2.5, nil},
		{"a quarter", rpy(0, 0, math.Pi/2), 0.5, 4.5, nil},
		{"half a turn", rpy(0, 0, math.Pi), -1.5, 1.5, nil},
		{"back", rpy(0, 0, -math.Pi/2), 1.5, -0.5, nil},
		{"askew", rpy(0, 0, 0.4), 1 + 2.5*math.Cos(0.4) - 0.5*math.Sin(0.4), 2 + 2.5*math.Sin(0.4) + 0.5*math.Cos(0.4), nil},
		{"upside down", rpy(math.Pi, 0, 0), 3.5, 1.5, nil},
		{"upside down and turned", rpy(math.Pi, 0, math.Pi/2), 1.5, 4.5, nil},
		{"on a ramp", rpy(0.3, 0, 0), 0, 0, planar.ErrTilted},
		{"upright", rpy(0, math.Pi/2, 0), 0, 0, planar.ErrTilted},
		{"too long", geometry_msgs.Quaternion{W: 1.5}, 0, 0, planar.ErrRotation},
		{"not a number", geometry_msgs.Quaternion{Z: math.NaN(), W: 1}, 0, 0, planar.ErrRotation},
	} {
		m := &nav_msgs.OccupancyGrid{Data: make([]int8, 8)}
		m.Info.Resolution, m.Info.Width, m.Info.Height = 1, 4, 2
		m.Info.Origin.Position.X, m.Info.Origin.Position.Y, m.Info.Origin.Orientation = 1, 2, c.q
		m.Data[2] = mapping.Occupied
		grid, err := MapOf(m)
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil && grid.At(grid.Cell(c.x, c.y)) != mapping.Occupied {
			t.Errorf("%s: the obstacle is not at (%g, %g): %+v", c.name, c.x, c.y, grid)
		}
	}
	m := &nav_msgs.OccupancyGrid{Data: make([]int8, 8)}
	m.Info.Resolution, m.Info.Width, m.Info.Height = 1, 4, 2
	m.Info.Origin.Position.Z = math.Inf(1)
	if _, err := MapOf(m); !errors.Is(err, planar.ErrPosition) {
		t.Error(err)
	}
	m.Info.Width = 5
	if _, err := MapOf(m); !errors.Is(err, mapping.ErrSize) {
		t.Error(err)
	}
}

// TestSensorMountsAreUsedWhole: rotations on the way to a sensor count in space, and what cannot be in the plane is
// refused with the reason.
func TestSensorMountsAreUsedWhole(t *testing.T) {
	var f frames
	add := func(parent, child string, x, y, z float64, q geometry_msgs.Quaternion) {
		m := tf2_msgs.TFMessage{Transforms: make([]geometry_msgs.TransformStamped, 1)}
		s := &m.Transforms[0]
		s.Header.FrameID, s.ChildFrameID, s.Transform.Rotation = parent, child, q
		s.Transform.Translation = geometry_msgs.Vector3{X: x, Y: y, Z: z}
		f.add(&m)
	}
	add("base_link", "mast", 0.1, 0, 0.2, rpy(math.Pi/2, 0, 0))       // its y is up
	add("mast", "level_again", 0, 0.05, -0.03, rpy(-math.Pi/2, 1, 0)) // 3 cm to the left
	add("base_link", "hanging", 0, 0.1, 0.3, rpy(math.Pi, 0, 0.5))
	add("base_link", "down", 0, 0, 0.1, rpy(0, 0.4, 0))
	add("base_link", "on_edge", 0, 0, 0.1, rpy(math.Pi/2, 0, 0.2))
	add("base_link", "zeros", 0, 0, 0, geometry_msgs.Quaternion{})
	add("base_link", "nan", math.NaN(), 0, 0, rpy(0, 0, 0))
	same := func(got, want mapping.Pose) bool {
		return math.Abs(got.X-want.X)+math.Abs(got.Y-want.Y)+math.Abs(math.Remainder(got.Theta-want.Theta, 2*math.Pi)) < 1e-9
	}
	for _, c := range []struct {
		frame          string
		beam           mapping.Pose
		direction      float64 // 0: no scanner can be here
		err, ofScanner error
	}{
		{"base_link", mapping.Pose{}, 1, nil, nil},
		{"level_again", mapping.Pose{X: 0.1, Y: 0.03, Theta: 1}, 1, nil, nil},
		{"hanging", mapping.Pose{Y: 0.1, Theta: 0.5}, -1, nil, nil},
		{"down", mapping.Pose{}, 0, planar.ErrTilted, planar.ErrTilted},
		{"on_edge", mapping.Pose{Theta: 0.2}, 0, nil, planar.ErrTilted},
		{"zeros", mapping.Pose{}, 0, planar.ErrRotation, planar.ErrRotation},
		{"nan", mapping.Pose{}, 0, planar.ErrPosition, planar.ErrPosition},
	} {
		m, err := f.lookup("base_link", c.frame)
		fanErr := err
		var beam, fan mapping.Pose
		direction := 0.0
		if err == nil {
			beam, err = m.beam()
			fan, direction, fanErr = m.fan()
		}
		if !errors.Is(err, c.err) || !errors.Is(fanErr, c.ofScanner) {
			t.Errorf("%s: %v; scanner: %v", c.frame, err, fanErr)
		}
		if err == nil && !same(beam, c.beam) || fanErr == nil && (!same(fan, c.beam) || direction != c.direction) {
			t.Errorf("%s: %+v, scanner %+v, direction %g", c.frame, beam, fan, direction)
		}
	}
	if _, err := f.lookup("base_link", "nowhere"); err == nil {
		t.Error("a frame without a transform has a place")
	}
}
