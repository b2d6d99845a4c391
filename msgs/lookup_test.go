// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
)

func TestLookupKnowsEveryName(t *testing.T) {
	names := msgs.Names()
	if !slices.IsSorted(names) {
		t.Error("Names is not sorted")
	}
	for _, n := range names {
		newMessage, ok := msgs.Lookup(n)
		if !ok {
			t.Fatalf("Lookup(%q) finds nothing", n)
		}
		if _, ok := msgs.Definition(n); !ok {
			t.Errorf("Definition(%q) finds nothing", n)
		}
		a, b := newMessage(), newMessage()
		if a.ROSType() != n {
			t.Errorf("Lookup(%q) makes a %s", n, a.ROSType())
		}
		if reflect.TypeOf(a).Elem().Size() > 0 && a == b {
			t.Errorf("Lookup(%q) makes the same message twice", n)
		}
	}
}

func TestLookupServiceKnowsEveryName(t *testing.T) {
	names := msgs.ServiceNames()
	if !slices.IsSorted(names) {
		t.Error("ServiceNames is not sorted")
	}
	for _, n := range names {
		for _, half := range []string{"_Request", "_Response"} {
			if _, ok := msgs.Lookup(n + half); !ok {
				t.Errorf("service %s has no %s", n, half)
			}
		}
	}
}

func TestLookupOfUnknownNames(t *testing.T) {
	for _, n := range []string{"", "sensor_msgs/Range", "sensor_msgs/msg/range", "std_srvs/srv/Trigger", "geometry_msgs/msg/Nothing"} {
		if f, ok := msgs.Lookup(n); ok || f != nil {
			t.Errorf("Lookup(%q) finds something", n)
		}
	}
	for _, n := range []string{"", "std_srvs/srv/Trigger_Request", "std_msgs/msg/Bool"} {
		if s, ok := msgs.LookupService(n); ok || s != nil {
			t.Errorf("LookupService(%q) finds something", n)
		}
	}
}

// All types of the robot's ROS interface are available.
func TestRobotInterfaceIsComplete(t *testing.T) {
	for _, n := range []string{
		"nav_msgs/msg/Odometry", "tf2_msgs/msg/TFMessage", "sensor_msgs/msg/LaserScan", "sensor_msgs/msg/Range",
		"sensor_msgs/msg/Illuminance", "sensor_msgs/msg/Imu", "sensor_msgs/msg/MagneticField", "std_msgs/msg/Int16",
		"std_msgs/msg/Bool", "std_msgs/msg/UInt8", "std_msgs/msg/Int32", "std_msgs/msg/String",
		"sensor_msgs/msg/BatteryState", "sensor_msgs/msg/JointState", "sensor_msgs/msg/Image",
		"sensor_msgs/msg/CompressedImage", "sensor_msgs/msg/CameraInfo", "diagnostic_msgs/msg/DiagnosticArray",
		"rcl_interfaces/msg/Log", "rcl_interfaces/msg/ParameterEvent", "geometry_msgs/msg/Twist",
		"geometry_msgs/msg/TwistStamped", "rosgraph_msgs/msg/Clock", "lifecycle_msgs/msg/TransitionEvent",
		"service_msgs/msg/ServiceEventInfo",
	} {
		if _, ok := msgs.Lookup(n); !ok {
			t.Errorf("no message %s", n)
		}
	}
	for _, n := range []string{
		"std_srvs/srv/Trigger", "sensor_msgs/srv/SetCameraInfo", "rcl_interfaces/srv/GetParameters",
		"rcl_interfaces/srv/GetParameterTypes", "rcl_interfaces/srv/SetParameters",
		"rcl_interfaces/srv/SetParametersAtomically", "rcl_interfaces/srv/DescribeParameters",
		"rcl_interfaces/srv/ListParameters", "type_description_interfaces/srv/GetTypeDescription",
		"lifecycle_msgs/srv/ChangeState",
	} {
		if _, ok := msgs.LookupService(n); !ok {
			t.Errorf("no service %s", n)
		}
	}
}
