// SPDX-License-Identifier: Apache-2.0

package node

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/mapping"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
)

// maxDepth bounds the chain of frames from a sensor to the base, should it be a circle.
const maxDepth = 32

// frames is the tree of frames that do not move, seen from above.
type frames struct {
	parent map[string]mount // by child
}

// mount is where a frame sits on its parent. Sensors that do not look along the floor are not for a map.
type mount struct {
	parent string
	pose   mapping.Pose
	level  bool // its x axis is parallel to the floor
}

// learn takes transforms in.
func (f *frames) learn(m *tf2_msgs.TFMessage) {
	if f.parent == nil {
		f.parent = map[string]mount{}
	}
	for _, t := range m.Transforms {
		q := t.Transform.Rotation
		yaw, level := Heading(q)
		f.parent[t.ChildFrameID] = mount{
			t.Header.FrameID, mapping.Pose{X: t.Transform.Translation.X, Y: t.Transform.Translation.Y, Theta: yaw}, level,
		}
	}
}

// on gives where a frame sits on the base; ok is false if there is no way known, or it leads over a frame that looks up
// or down.
func (f *frames) on(base, frame string) (pose mapping.Pose, ok bool) {
	for range maxDepth {
		if frame == base {
			return pose, true
		}
		m, known := f.parent[frame]
		if !known || !m.level {
			return mapping.Pose{}, false
		}
		pose, frame = m.pose.Plus(pose), m.parent
	}
	return mapping.Pose{}, false
}

// Heading gives the angle of the x axis after a rotation, rad, and whether it is parallel to the floor (to 5°).
func Heading(q geometry_msgs.Quaternion) (yaw float64, level bool) {
	x := 1 - 2*(q.Y*q.Y+q.Z*q.Z)
	y := 2 * (q.X*q.Y + q.W*q.Z)
	z := 2 * (q.X*q.Z - q.W*q.Y)
	return math.Atan2(y, x), math.Abs(z) < math.Sin(5*math.Pi/180)
}
