// SPDX-License-Identifier: Apache-2.0

package node

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/planar"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
)

// maxDepth is the maximum length of the chain of frames from a sensor to the base, to detect cycles.
const maxDepth = 32

// frames is the tree of static transforms.
type frames struct {
	parent map[string]mount // by child
}

// mount is the pose of a frame in its parent.
type mount struct {
	parent   string
	position geometry_msgs.Vector3 // m
	rotation planar.Rotation
	err      error // if the transform is invalid
}

// add stores transforms.
func (f *frames) add(m *tf2_msgs.TFMessage) {
	if f.parent == nil {
		f.parent = map[string]mount{}
	}
	for i := range m.Transforms {
		t := &m.Transforms[i]
		on := mount{parent: t.Header.FrameID, position: t.Transform.Translation}
		on.rotation, on.err = planar.RotationOf(t.Transform.Rotation)
		if v := on.position; on.err == nil && (math.IsNaN(v.X+v.Y+v.Z) || math.IsInf(v.X+v.Y+v.Z, 0)) {
			on.err = fmt.Errorf("%w: (%g, %g, %g) m", planar.ErrPosition, v.X, v.Y, v.Z)
		}
		f.parent[t.ChildFrameID] = on
	}
}

// lookup returns the pose of a frame in the base frame. The error is the reason why it is unknown.
func (f *frames) lookup(base, frame string) (m mount, err error) {
	m.rotation = planar.Identity()
	depth := 0
	for at := frame; at != base; {
		up, known := f.parent[at]
		switch {
		case !known:
			return mount{}, fmt.Errorf("no transform from %q to %q yet", base, at)
		case up.err != nil:
			return mount{}, fmt.Errorf("the transform from %q to %q: %w", up.parent, at, up.err)
		}
		x, y, z := up.rotation.Apply(m.position.X, m.position.Y, m.position.Z)
		m.position = geometry_msgs.Vector3{X: up.position.X + x, Y: up.position.Y + y, Z: up.position.Z + z}
		m.rotation = up.rotation.After(m.rotation)
		if depth++; depth > maxDepth {
			return mount{}, fmt.Errorf("more than %d frames between %q and %q: a cycle", maxDepth, base, frame)
		}
		at = up.parent
	}
	return m, nil
}

// pose returns a sensor's pose in the plane; the heading is that of its x axis.
func (m *mount) pose() mapping.Pose {
	return mapping.Pose{X: m.position.X, Y: m.position.Y, Theta: m.rotation.Yaw()}
}

// beam returns the pose of a sensor with a cone about x; the rotation about x has no effect. It fails if the sensor
// points up or down.
func (m *mount) beam() (mapping.Pose, error) {
	if pitch := m.rotation.Pitch(); math.Abs(pitch) > planar.MaxTilt {
		return mapping.Pose{}, fmt.Errorf("%w: its pitch is %.4g rad, it points up or down", planar.ErrTilted, pitch)
	}
	return m.pose(), nil
}

// fan returns the pose of a sensor whose rays are in its x-y plane, and the direction of increasing angles: −1 for a
// scanner that is mounted upside down. It fails if that plane is not parallel to the floor.
func (m *mount) fan() (pose mapping.Pose, direction float64, err error) {
	up := m.rotation
	if direction = 1; up[2][2] < 0 {
		direction, up = -1, up.After(planar.Rotation{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}})
	}
	if _, err := up.Heading(); err != nil {
		return mapping.Pose{}, 0, err
	}
	return m.pose(), direction, nil
}
