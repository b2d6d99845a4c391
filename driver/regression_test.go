// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
)

// What the old driver got wrong is tested where it belongs, by tests called TestOldDriverDefect…; here are those that
// belong to no single file.

// The original driver accumulated the heading in 32 bits without wrapping it.
func TestOldDriverDefectHeadingIsWrapped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		odom := listenTo[nav_msgs.Odometry](r, "odom")
		r.drive(0, 4, 30*time.Second) // 19 turns
		r.halt()
		for _, m := range odom() {
			q := m.Pose.Pose.Orientation
			if n := q.Z*q.Z + q.W*q.W; math.Abs(n-1) > 1e-12 || q.W < -1e-12 {
				t.Fatalf("orientation %+v", q)
			}
		}
		if theta := r.driver.Status().Theta; theta <= -math.Pi || theta > math.Pi {
			t.Errorf("heading %v rad", theta)
		}
		r.wantPose(0.005, 10*stepRadians)
	})
}

// The original driver did not set the frames of light sensors.
func TestOldDriverDefectMessagesHaveFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{args: "-p frame_prefix:=r2/"})
		light, distance := listenTo[sensor_msgs.Illuminance](r, "ls4"), listenTo[jazzy.Range](r, "ps4")
		scan, odom := listenTo[sensor_msgs.LaserScan](r, "scan"), listenTo[nav_msgs.Odometry](r, "odom")
		time.Sleep(time.Second)
		for got, want := range map[string]string{
			last(r, light).Header.FrameID: "r2/ls4", last(r, distance).Header.FrameID: "r2/ps4",
			last(r, scan).Header.FrameID: "r2/laser_scanner", last(r, odom).Header.FrameID: "r2/odom",
		} {
			if got != want {
				t.Errorf("frame %q, want %q", got, want)
			}
		}
	})
}

// Two robots with the original driver shared /led* and /gs* and their frames.
func TestOldDriverDefectTwoRobotsDoNotCollide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := map[string]bool{}
		for _, robot := range []string{"robot1", "robot2"} {
			r := newRig(t, rigOptions{args: "-r __ns:=/" + robot + " -p frame_prefix:=" + robot + "/"})
			for _, e := range r.node.Graph().EndpointsOf(r.node.Name()) {
				if !strings.HasPrefix(e.Topic, "/tf") && e.Topic != table.TopicDiag && seen[e.Topic] {
					t.Errorf("both robots use %s", e.Topic)
				}
				seen[e.Topic] = true
			}
			for _, tr := range table.StaticTransforms(r.driver.settings.Load()) {
				if seen[tr.ChildFrameID] {
					t.Errorf("both robots use frame %s", tr.ChildFrameID)
				}
				seen[tr.ChildFrameID] = true
			}
			r.must(r.end())
		}
	})
}
