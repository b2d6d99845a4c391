// SPDX-License-Identifier: Apache-2.0

package pictures_test

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/driver/pictures"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// The topics of a camera on a node. It is opened when there is a subscription. On a robot the device is that of
// v4l2.Find, and the transport that of package rmw.
func ExampleNew() {
	tr := ros2test.NewTransport()
	defer tr.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "camera", Transport: tr})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer node.Close()
	var none struct{ camera.Device }
	topic := func(name string) pictures.Topic {
		return pictures.Topic{Name: name, Frame: "camera_optical_frame", QoS: ros2.DefaultQoS()}
	}
	p, err := pictures.New(pictures.Config{
		Node: node, Clock: node.Clock(), Log: slog.New(slog.DiscardHandler), Device: none,
		Settings: pictures.Settings{Name: "front", URL: "file:///nowhere/front.yaml", Encoding: camera.RGB8,
			Pipeline: camera.Settings{Width: 640, Height: 480, FrameRate: 15, Quality: 80, Encoder: camera.CPU}},
		Image: topic("image_raw"), JPEG: topic("image_raw/compressed"), Info: topic("camera_info"),
		Sensor: func() (device.State, bool) { return device.Absent, false },
		Stamp: func(t time.Time) (s builtin_interfaces.Time) {
			s.Sec, s.Nanosec = ros2.Stamp(t)
			return s
		},
		Refused: func() {}, Panicked: func(err error) { fmt.Println(err) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range p.Streams() {
		fmt.Println(s.Name(), s.Subscribers())
	}
	fmt.Println(p.Close())
	// Output:
	// image_raw 0
	// image_raw/compressed 0
	// camera_info 0
	// <nil>
}
