// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
)

// TestFriction: described robots and e-pucks slide along a wall and turn into it at the rates of physics.Chassis: for a
// short way, in which the heading hardly changes.
func TestFriction(t *testing.T) {
	const speed, seconds = 0.05, 0.1
	for _, c := range []struct {
		friction string
		mu       float64
	}{{"", 0.3}, {"contact_friction: 0\n", 0}, {"contact_friction: 1\n", 1}} {
		for _, degrees := range []float64{12, 20, 40, 50, 70} {
			yaw := degrees * math.Pi / 180
			text := c.friction + arena(robotAt("k", "khepera4", 0.929, -0.5, yaw)) +
				fmt.Sprintf("  - {name: e, level: functional, position: [0.963, 0], yaw: %g}\n", yaw)
			r := newRig(t, text)
			radius, track, reach := 0.0, 0.0, 0.0
			r.do(0, func(m *machine.Machine) {
				radius, track = m.Description().Drive.Radius, m.Description().Drive.Separation
				reach = m.Outline(nil)[0].Reach()
			})
			r.drive(0, speed/radius, speed/radius)
			e := sim.RobotsOf[*sim.Functional](r.sim)[0]
			e.Do(func(c *sim.Control) { c.SetWheels(speed/0.02, speed/0.02) })
			r.pass(150 * time.Millisecond) // they touch the wall
			k, f := r.pose(0), e.Pose()
			r.pass(time.Duration(seconds * float64(time.Second)))
			want := func(yaw, lever, radius float64) (way, turn float64) {
				gyration := lever * lever / 4
				drag := min(c.mu*math.Cos(yaw), math.Sin(yaw)/(1+radius*radius/gyration))
				return (math.Sin(yaw) - drag) * speed * seconds, -drag * radius / gyration * speed * seconds
			}
			way, turn := want(k.Theta, track, reach)
			near(t, "the Khepera's way along the wall", r.pose(0).Y-k.Y, way, 2e-4)
			near(t, "the Khepera's turn", r.pose(0).Theta-k.Theta, turn, 0.12*math.Abs(turn))
			way, turn = want(f.Theta, 0.05685, 0.037)
			near(t, "the e-puck's way along the wall", e.Pose().Y-f.Y, way, 2e-4)
			near(t, "the e-puck's turn", e.Pose().Theta-f.Theta, turn, 0.12*math.Abs(turn))
			if t.Failed() {
				t.Fatalf("μ %g, %g° from the normal", c.mu, degrees)
			}
		}
	}
}
