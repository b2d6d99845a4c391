// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
)

// robotMessages are messages as the robot publishes them, at their real sizes.
func robotMessages() map[string]msgs.Message {
	header := func(frame string) std_msgs.Header {
		return std_msgs.Header{Stamp: builtin_interfaces.Time{Sec: 1, Nanosec: 2}, FrameID: frame}
	}
	odometry := &nav_msgs.Odometry{Header: header("odom"), ChildFrameID: "base_link"}
	odometry.Pose.Pose = geometry_msgs.DefaultPose()
	scan := &sensor_msgs.LaserScan{Header: header("laser_scanner"), Ranges: make([]float32, 21), Intensities: make([]float32, 21)}
	transform := geometry_msgs.TransformStamped{Header: header("odom"), ChildFrameID: "base_link", Transform: geometry_msgs.DefaultTransform()}
	return map[string]msgs.Message{
		"Odometry":  odometry,
		"LaserScan": scan,
		"TFMessage": &tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{transform, transform}},
		"Range":     &sensor_msgs.Range{Header: header("ps0"), RadiationType: sensor_msgs.RangeInfrared},
		"JointState": &sensor_msgs.JointState{
			Header: header(""), Name: []string{"left_wheel_joint", "right_wheel_joint"},
			Position: make([]float64, 2), Velocity: make([]float64, 2),
		},
		"Image": &sensor_msgs.Image{
			Header: header("camera_optical_frame"), Height: 480, Width: 640,
			Encoding: "rgb8", Step: 3 * 640, Data: make([]byte, 3*640*480),
		},
	}
}

func TestEncodingDoesNotAllocate(t *testing.T) {
	for name, m := range robotMessages() {
		var e cdr.Encoder
		buf := cdr.Append(nil, m)
		if n := testing.AllocsPerRun(100, func() { buf, _ = e.Marshal(buf[:0], m) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// Decoding into the same message allocates only for changed texts and larger sequences.
func TestDecodingAgainDoesNotAllocate(t *testing.T) {
	for name, m := range robotMessages() {
		var d cdr.Decoder
		buf, into := cdr.Append(nil, m), fresh(m)
		if err := d.Unmarshal(buf, into); err != nil {
			t.Fatal(name, err)
		}
		if n := testing.AllocsPerRun(100, func() { _ = d.Unmarshal(buf, into) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
