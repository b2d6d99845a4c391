// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// The description and /tf_static are of the same robot: the base without its prefix, the mounts, the wheels' geometry.
func TestDescriptionEqualsTheTransforms(t *testing.T) {
	for _, args := range []string{"", "-p base_frame:=base -p frame_prefix:=r1/ -p wheel_radius:=0.021"} {
		set := settingsWith(t, args)
		var m std_msgs.String
		buildDescription(&m, &reading{set: set})
		if base := strings.TrimPrefix(set.baseFrame, set.prefix); m.Data != epuck2.URDF(base, set.wheels) {
			t.Errorf("%q: it is not that of %s", args, base)
		}
		transforms := staticTransforms(set)
		if len(transforms) != len(epuck2.Mounts()) {
			t.Fatalf("%q: %d transforms, %d mounts", args, len(transforms), len(epuck2.Mounts()))
		}
		for i, m := range epuck2.Mounts() {
			tr, parent := transforms[i], set.baseFrame
			if m.Parent != "" {
				parent = set.prefix + m.Parent
			}
			if tr.ChildFrameID != set.prefix+m.Frame || tr.Header.FrameID != parent {
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
	newJointStates()(&states, &reading{})
	if want := epuck2.JointNames(); len(states.Name) != 2 || [2]string(states.Name) != want {
		t.Errorf("joint_states has %v, want %v", states.Name, want)
	}
}

// Who comes late gets the description.
func TestDescriptionIsLatched(t *testing.T) {
	r, cycle := steppedRig(t, rigOptions{})
	cycle()
	got := listenWith[std_msgs.String](r, "robot_description", ros2.LatchedQoS())
	if m := last(r, got); !strings.Contains(m.Data, "left_wheel_joint") {
		t.Errorf("got %q", m.Data)
	}
}
