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

// TestFriction: described robots and e-pucks slide along a wall at sin − μ·cos of their speed, at an angle from its
// normal beyond the angle of friction, and stick below.
func TestFriction(t *testing.T) {
	const speed, seconds = 0.05, 4.0
	for _, c := range []struct {
		friction string
		mu       float64
	}{{"", 0.3}, {"contact_friction: 0\n", 0}, {"contact_friction: 1\n", 1}} {
		for _, degrees := range []float64{12, 20, 40, 50, 70} {
			yaw := degrees * math.Pi / 180
			text := c.friction + arena(robotAt("k", "khepera4", 0.929, -0.5, yaw)) +
				fmt.Sprintf("  - {name: e, level: functional, position: [0.963, 0], yaw: %g}\n", yaw)
			r := newRig(t, text)
			radius := 0.0
			r.do(0, func(m *machine.Machine) { radius = m.Description().Drive.Radius })
			r.drive(0, speed/radius, speed/radius)
			e := sim.RobotsOf[*sim.Functional](r.sim)[0]
			e.Do(func(c *sim.Control) { c.SetWheels(speed/0.02, speed/0.02) })
			start := r.pose(0).Y
			r.pass(time.Duration(seconds * float64(time.Second)))
			want := max(0, math.Sin(yaw)-c.mu*math.Cos(yaw))
			near(t, "the Khepera's way along the wall", r.pose(0).Y-start, float64(want*speed*seconds), 2e-3)
			near(t, "the e-puck's way along the wall", e.GroundTruth().Pose.Y, want*speed*seconds, 2e-3)
			if t.Failed() {
				t.Fatalf("μ %g, %g° from the normal", c.mu, degrees)
			}
		}
	}
}
