// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// A speed beyond the motors' is the same at each level: 1100 motor steps/s, of which the firmware's timer makes 1111.
func TestFullSpeedIsTheSameAtEachLevel(t *testing.T) {
	const want = 2 * math.Pi * robot.WheelRadius * 1111.1 / robot.StepsPerTurn // m/s
	for name, level := range map[string]string{
		"firmware": "level: firmware", "functional": "level: functional", "described": "model: epuck2",
	} {
		t.Run(name, func(t *testing.T) {
			w, err := sim.ParseWorld([]byte("robots: [{name: r, " + level + "}]"))
			if err != nil {
				t.Fatal(err)
			}
			g := newRigOf(t, w, sim.Options{Seed: 1, Settled: true, Mechanisms: machine.Maker(library.Parse, library.Load)}, fleet.Config{})
			odom := hear[nav_msgs.Odometry](g, "/r/odom", ros2.DefaultQoS())
			move := say[geometry_msgs.Twist](g, "/r/cmd_vel")
			g.run(time.Second)
			var from float64
			for k := range 12 {
				if k == 2 {
					from = odom.Pose.Pose.Position.X
				}
				move(&geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 0.2}})
				g.run(100 * time.Millisecond)
			}
			if v := odom.Pose.Pose.Position.X - from; math.Abs(v-want) > 0.008 { // a cycle's way
				t.Errorf("in a second it drives %.4f m, want %.4f", v, want)
			}
			if v := odom.Twist.Twist.Linear.X; math.Abs(v-want) > 0.003 {
				t.Errorf("it measures %.4f m/s, want %.4f", v, want)
			}
		})
	}
}
