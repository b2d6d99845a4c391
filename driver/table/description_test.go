// SPDX-License-Identifier: Apache-2.0

package table

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// The description and /tf_static are of the same robot: the base without its prefix, the mounts, the wheels' geometry.
func TestDescriptionEqualsTheTransforms(t *testing.T) {
	for _, args := range []string{"", "-p base_frame:=base -p frame_prefix:=r1/ -p wheel_radius:=0.021"} {
		set := settingsWith(t, args)
		var m std_msgs.String
		buildDescription(&m, &Reading{Set: set})
		if base := strings.TrimPrefix(set.BaseFrame, set.Prefix); m.Data != epuck2.URDF(base, set.Wheels) {
			t.Errorf("%q: it is not that of %s", args, base)
		}
		transforms := StaticTransforms(set)
		if len(transforms) != len(epuck2.Mounts()) {
			t.Fatalf("%q: %d transforms, %d mounts", args, len(transforms), len(epuck2.Mounts()))
		}
		for i, m := range epuck2.Mounts() {
			tr, parent := transforms[i], set.BaseFrame
			if m.Parent != "" {
				parent = set.Prefix + m.Parent
			}
			if tr.ChildFrameID != set.Prefix+m.Frame || tr.Header.FrameID != parent {
				t.Errorf("%s: %s to %s, want the parent %s", m.Frame, tr.Header.FrameID, tr.ChildFrameID, parent)
			}
			var q geometry_msgs.Quaternion
			q.X, q.Y, q.Z, q.W = m.Quaternion()
			if at := tr.Transform; at.Translation != (geometry_msgs.Vector3{X: m.X, Y: m.Y, Z: m.Z}) || at.Rotation != q {
				t.Errorf("%s: at %+v, want %+v", m.Frame, at, m)
			}
		}
	}
}

// The wheels of joint_states are those of the description.
func TestJointStatesHaveTheDescriptionsWheels(t *testing.T) {
	var states sensor_msgs.JointState
	newJointStates()(&states, &Reading{})
	if want := epuck2.JointNames(); len(states.Name) != 2 || [2]string(states.Name) != want {
		t.Errorf("joint_states has %v, want %v", states.Name, want)
	}
}
