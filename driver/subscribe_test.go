// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"strings"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// subscribeAll has the user listen to every topic, raw type by type.
func subscribeAll(r *rig) {
	for _, row := range table.Topics() {
		if row.Direction != table.Published {
			continue
		}
		for _, name := range row.Names() {
			switch strings.TrimPrefix(row.Type, "sensor_msgs/msg/") {
			case "nav_msgs/msg/Odometry":
				discard[nav_msgs.Odometry](r, name)
			case "tf2_msgs/msg/TFMessage":
				discard[tf2_msgs.TFMessage](r, name)
			case "diagnostic_msgs/msg/DiagnosticArray":
				discard[diagnostic_msgs.DiagnosticArray](r, name)
			case "Imu":
				discard[sensor_msgs.Imu](r, name)
			case "MagneticField":
				discard[sensor_msgs.MagneticField](r, name)
			case "BatteryState":
				discard[sensor_msgs.BatteryState](r, name)
			case "std_msgs/msg/String":
				discard[std_msgs.String](r, name)
			case "LaserScan":
				discard[sensor_msgs.LaserScan](r, name)
			case "Range":
				discard[jazzy.Range](r, name)
			case "Illuminance":
				discard[sensor_msgs.Illuminance](r, name)
			case "JointState":
				discard[sensor_msgs.JointState](r, name)
			case "std_msgs/msg/Int16":
				discard[std_msgs.Int16](r, name)
			case "std_msgs/msg/UInt16MultiArray":
				discard[std_msgs.UInt16MultiArray](r, name)
			case "std_msgs/msg/Bool":
				discard[std_msgs.Bool](r, name)
			case "std_msgs/msg/UInt8":
				discard[std_msgs.UInt8](r, name)
			case "Image", "CompressedImage", "CameraInfo": // the camera's have tests of their own
			default:
				r.Fatalf("topic %s has type %s, which the test does not know", name, row.Type)
			}
		}
	}
}

// discard subscribes without decoding: the transport has a reader and no message is decoded.
func discard[T any, P ros2.MessageOf[T]](r *rig, topic string) {
	r.Helper()
	full, err := r.user.ResolveName(topic)
	r.must(err)
	m := P(new(T))
	_, err = r.user.Transport().NewReader(ros2.ReaderConfig{
		EndpointConfig: ros2.EndpointConfig{
			Node: r.user.Name(), Topic: full, Type: m.ROSType(), TypeHash: m.TypeHash(), QoS: ros2.DefaultQoS(),
			OnMatch: func(int) {}, OnIncompatible: func(ros2.EndpointInfo, ros2.QoSPolicy) {},
		},
		OnSample: func(ros2.Sample) {},
	})
	r.must(err)
}
