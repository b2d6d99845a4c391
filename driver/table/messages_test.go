// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/odometry"
)

// moved is a reading of a robot that has moved.
func moved(t *testing.T) *Reading {
	r := &Reading{Set: settingsWith(t, "-p frame_prefix:=r1/")}
	r.Stamp.Sec = 9
	r.Pose = odometry.State{X: 1, Y: 2, Theta: math.Pi / 2, V: 0.1, Omega: -0.5}
	r.Pose.Left, r.Pose.Right = odometry.Wheel{Angle: 3, Velocity: 4}, odometry.Wheel{Angle: 5, Velocity: 6}
	return r
}

// The odometry and the transform are of one pose.
func TestPoseMessages(t *testing.T) {
	r := moved(t)
	var o nav_msgs.Odometry
	var tf tf2_msgs.TFMessage
	if !buildOdometry(&o, r) || !newTransform()(&tf, r) || len(tf.Transforms) != 1 {
		t.Fatalf("%+v, %+v", o, tf)
	}
	if o.Header.Stamp.Sec != 9 || o.Header.FrameID != "r1/odom" || o.ChildFrameID != "r1/base_link" {
		t.Errorf("header %+v of %s", o.Header, o.ChildFrameID)
	}
	if p := o.Pose.Pose; p.Position.X != 1 || p.Position.Y != 2 || math.Abs(p.Orientation.Z-math.Sqrt2/2) > 1e-15 || math.Abs(p.Orientation.W-math.Sqrt2/2) > 1e-15 {
		t.Errorf("pose %+v", p)
	}
	if o.Twist.Twist.Linear.X != 0.1 || o.Twist.Twist.Angular.Z != -0.5 {
		t.Errorf("twist %+v", o.Twist.Twist)
	}
	if x := tf.Transforms[0]; x.Header != o.Header || x.ChildFrameID != o.ChildFrameID || x.Transform.Rotation != o.Pose.Pose.Orientation ||
		x.Transform.Translation.X != 1 || x.Transform.Translation.Y != 2 {
		t.Errorf("transform %+v", x)
	}
	r.Set = settingsWith(t, "-p publish_tf:=false")
	if newTransform()(&tf, r) {
		t.Error("a transform is built against publish_tf")
	}
}

func TestJointStatesMessage(t *testing.T) {
	var m sensor_msgs.JointState
	if !newJointStates()(&m, moved(t)) || len(m.Position) != 2 || m.Position[0] != 3 || m.Position[1] != 5 || m.Velocity[0] != 4 || m.Velocity[1] != 6 {
		t.Errorf("%+v", m)
	}
}

// The robot measures more than the topic's type holds.
func TestVolumeSaturates(t *testing.T) {
	r := &Reading{}
	r.Sensors.Microphone = [4]uint16{0, 32767, 32768, 65535}
	for i, want := range []int16{0, 32767, 32767, 32767} {
		var m std_msgs.Int16
		if !newVolume(i)(&m, r) || m.Data != want {
			t.Errorf("microphone %d: %d, want %d", i, m.Data, want)
		}
	}
}

// The first value, each change, and nothing of a reading whose values are refused.
func TestValuesOnChange(t *testing.T) {
	button, selector := newButton(), newSelector()
	var b std_msgs.Bool
	var s std_msgs.UInt8
	for i, c := range []struct {
		pressed bool
		at      uint8
		refused bool
		button  bool
		turned  bool
	}{
		{true, 3, true, false, false},
		{false, 10, false, true, true},
		{false, 10, false, false, false},
		{true, 10, false, true, false},
		{true, 4, false, false, true},
		{false, 5, true, false, false},
		{false, 4, false, true, false},
	} {
		r := &Reading{}
		r.Sensors.Button, r.Sensors.Selector = c.pressed, c.at
		if c.refused {
			r.Sensors.Refused = mcu.ValueSelector
		}
		if gotB, gotS := button(&b, r), selector(&s, r); gotB != c.button || gotS != c.turned {
			t.Errorf("reading %d: button %v, selector %v", i, gotB, gotS)
		}
	}
}

// The robot keeps the last command: only an observed change is a key press.
func TestRemoteOnlyWhatWasPressed(t *testing.T) {
	build := newRemote()
	var m std_msgs.UInt8
	for i, c := range []struct {
		code      uint8
		first     bool
		published bool
	}{{7, true, false}, {7, false, false}, {8, false, true}, {8, false, false}, {9, true, false}, {9, false, false}, {8, false, true}} {
		r := &Reading{First: c.first}
		r.Sensors.Remote = c.code
		if got := build(&m, r); got != c.published || m.Data != c.code {
			t.Errorf("reading %d: published %v of %d", i, got, m.Data)
		}
	}
}
