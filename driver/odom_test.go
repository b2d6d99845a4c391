// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestStaticTransformsReachLateSubscribers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p frame_prefix:=robot1/"})
		time.Sleep(10 * time.Second)
		frames := listenWith[tf2_msgs.TFMessage](r, "/tf_static", ros2.TFStaticListenerQoS())
		time.Sleep(time.Second)
		if n := len(frames()); n != 1 {
			t.Fatalf("%d messages, want one", n)
		}
		m := frames()[0]
		if len(m.Transforms) != len(epuck2.Mounts()) {
			t.Errorf("%d frames, want %d", len(m.Transforms), len(epuck2.Mounts()))
		}
		for i, mount := range epuck2.Mounts() {
			parent := "robot1/base_link"
			if mount.Parent != "" {
				parent = "robot1/" + mount.Parent
			}
			tr := m.Transforms[i]
			if tr.ChildFrameID != "robot1/"+mount.Frame || tr.Header.FrameID != parent || tr.Transform.Translation.X != mount.X {
				t.Errorf("transform %d: %+v", i, tr)
			}
		}
	})
}

func TestTransform(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-r __ns:=/robot1 -p frame_prefix:=robot1/"})
		tf := listenTo[tf2_msgs.TFMessage](r, "/tf")
		odom := listenTo[nav_msgs.Odometry](r, "/robot1/odom")
		time.Sleep(time.Second)
		tr, o := last(r, tf).Transforms[0], last(r, odom)
		if tr.Header != o.Header || tr.Header.FrameID != "robot1/odom" || tr.ChildFrameID != "robot1/base_link" ||
			tr.Transform.Translation.X != o.Pose.Pose.Position.X || tr.Transform.Rotation != o.Pose.Pose.Orientation {
			t.Errorf("transform %+v", tr)
		}
		r.must(r.node.Parameters().SetAtomically(ros2.Parameter{Name: table.ParamPublishTF, Value: ros2.BoolValue(false)}))
		time.Sleep(75 * time.Millisecond)
		n := len(tf())
		time.Sleep(time.Second)
		if len(tf()) != n {
			t.Error("transforms are published against publish_tf")
		}
	})
}
