// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// A node of the functional level leaves the wheels to another program until it is commanded, and stops them when its
// command has ended.
func TestWheelsUnderOverride(t *testing.T) {
	g := newRig(t, "plane", world.LevelFunctional)
	robot := sim.RobotsOf[*sim.Functional](g.sim)[0]
	robot.Do(func(c *sim.Control) { c.SetWheels(2, 1) })
	g.run(200 * time.Millisecond)
	if now := robot.GroundTruth(); math.Abs(now.LeftSpeed-2) > 0.01 || math.Abs(now.RightSpeed-1) > 0.01 {
		t.Errorf("the wheels turn with %g and %g rad/s", now.LeftSpeed, now.RightSpeed)
	}
	command := say[geometry_msgs.Twist](g, "/epuck/cmd_vel")
	var m geometry_msgs.Twist
	m.Linear.X = 0.04
	command(&m)
	g.run(100 * time.Millisecond)
	if now := robot.GroundTruth(); now.LeftSpeed < 1 || now.LeftSpeed != now.RightSpeed {
		t.Errorf("commanded, they turn with %g and %g rad/s", now.LeftSpeed, now.RightSpeed)
	}
	g.run(2 * time.Second)
	if now := robot.GroundTruth(); now.LeftSpeed != 0 || now.RightSpeed != 0 {
		t.Errorf("after the command they turn with %g and %g rad/s", now.LeftSpeed, now.RightSpeed)
	}
}
