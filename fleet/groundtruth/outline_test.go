// SPDX-License-Identifier: Apache-2.0

package groundtruth_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/fleet/groundtruth"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/visualization_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// The outline of a robot that is no e-puck2 has its own solids, in its own frame, at any pose; its true pose is also
// published. An e-puck2 publishes no outline.
func TestOutline(t *testing.T) {
	w, err := sim.ParseWorld([]byte("robots:\n  - {name: b, model: turtlebot3_burger, position: [1, 2], yaw: 0.5}\n" +
		"  - {name: k, model: khepera4, position: [0, 0], yaw: 2}\n  - {name: e, level: functional, position: [-1, 0]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Now: clock.Now, Mechanisms: machine.Maker(library.Parse, library.Load)})
	if err != nil {
		t.Fatal(err)
	}
	ether := ros2test.NewNetwork()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "simulator", Transport: ether.NewTransport()})
	if err != nil {
		t.Fatal(err)
	}
	v, err := groundtruth.New(groundtruth.Config{Node: node, World: w, Rate: 1000})
	if err != nil {
		t.Fatal(err)
	}
	namespaces := map[string]string{"e": "/e", "b": "/fleet/b", "k": "/"} // k is alone
	for _, o := range s.Robots() {
		if err := v.Add(namespaces[o.Name()], o); err != nil {
			t.Fatal(err)
		}
	}
	user, err := ros2.NewNode(ros2.NodeConfig{Name: "user", Transport: ether.NewTransport()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, err := range []error{v.Close(), node.Close(), user.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	for topic, want := range map[string]struct {
		frame      string
		kind       int32
		x, size, z float64
	}{
		"/fleet/b/outline": {"b/base_footprint", visualization_msgs.MarkerCube, -0.032, 0.14, 0.143},
		"/outline":         {"base_link", visualization_msgs.MarkerCylinder, 0, 0.1408, 0.0577},
	} {
		got := make(chan *visualization_msgs.MarkerArray, 1)
		if _, err := ros2.Listen(user, topic, ros2.LatchedQoS(), func(m *visualization_msgs.MarkerArray) { got <- m }); err != nil {
			t.Fatal(err)
		}
		m := receive(t, got, topic).Markers[0]
		if m.Header.FrameID != want.frame || !m.FrameLocked || m.Type != want.kind || math.Abs(m.Pose.Position.X-want.x) > 0.001 ||
			math.Abs(m.Scale.X-want.size) > 0.012 || math.Abs(m.Scale.Z-want.z) > 0.02 || math.Abs(m.Pose.Position.Z-m.Scale.Z/2) > 1e-12 {
			t.Errorf("%s: %+v", topic, m)
		}
	}
	poses := make(chan *nav_msgs.Odometry, 1)
	if _, err := ros2.Listen(user, "/fleet/b/ground_truth", ros2.DefaultQoS(), func(m *nav_msgs.Odometry) {
		select {
		case poses <- m:
		default:
		}
	}); err != nil {
		t.Fatal(err)
	}
	if m := receive(t, poses, "/fleet/b/ground_truth"); m.Pose.Pose.Position.X != 1 || m.Pose.Pose.Position.Y != 2 || math.Abs(m.Pose.Pose.Orientation.Z-math.Sin(0.25)) > 1e-12 {
		t.Errorf("%+v", m.Pose.Pose)
	}
	if n := len(user.Graph().EndpointsOn("/e/outline")); n != 0 {
		t.Error("an e-puck2 has an outline")
	}
}
