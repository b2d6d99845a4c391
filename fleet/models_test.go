// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"errors"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Robots with a model are nodes as the others: in namespaces of their own, with their frames' prefix; they are added
// and removed, and the trace of a run has what they publish.
func TestRobotsWithModels(t *testing.T) {
	text := "arena: {size: [3, 3]}\nrobots:\n  - {name: e, level: functional, position: [1, 0]}\n  - {name: b, model: turtlebot3_burger, position: [0, 0]}\n"
	run := func(trace bool) [32]byte {
		w, err := sim.ParseWorld([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		opts := sim.Options{Seed: 1, Settled: true, Trace: trace, Mechanisms: machine.Maker(library.Parse, library.Load)}
		g := newRigOf(t, w, opts, fleet.Config{Trace: trace})
		scan := hear[sensor_msgs.LaserScan](g, "/b/scan", ros2.DefaultQoS())
		odom := hear[nav_msgs.Odometry](g, "/b/odom", ros2.DefaultQoS())
		say[geometry_msgs.Twist](g, "/b/cmd_vel")(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.1}})
		g.run(400 * time.Millisecond)
		if scan.Header.FrameID != "b/base_scan" || odom.ChildFrameID != "b/base_footprint" || odom.Pose.Pose.Position.X < 0.03 {
			t.Errorf("%q, %+v", scan.Header.FrameID, odom)
		}
		if n := g.fleet.Len(); n != 2 {
			t.Errorf("%d robots", n)
		}
		for robot, want := range map[string]string{"e": "/e/epuck_driver", "b": "/b/turtlebot3_burger", "none's": "/"} {
			if node, ok := g.fleet.NodeOf(robot); node.FullName() != want || ok != (want != "/") {
				t.Errorf("%s is node %s, %t", robot, node.FullName(), ok)
			}
		}
		if _, err := g.sim.Spawn(world.Robot{Name: "k", Model: "khepera4", Position: world.Point{-1, 0}}); err != nil {
			t.Fatal(err)
		}
		if err := g.fleet.Follow(); err != nil || g.fleet.Len() != 3 {
			t.Errorf("%d robots, %v", g.fleet.Len(), err)
		}
		if err := g.fleet.Add(sim.RobotsOf[*sim.Articulated](g.sim)[1]); !errors.Is(err, fleet.ErrName) {
			t.Errorf("twice: %v", err)
		}
		g.run(100 * time.Millisecond)
		if err := g.sim.Remove("b"); err != nil {
			t.Fatal(err)
		}
		if err := g.fleet.Follow(); err != nil || g.fleet.Len() != 2 {
			t.Errorf("%d robots, %v", g.fleet.Len(), err)
		}
		g.run(100 * time.Millisecond)
		return g.sim.TraceHash()
	}
	run(false)
	if a, b := run(true), run(true); a != b {
		t.Errorf("%x and %x", a, b)
	}
}
