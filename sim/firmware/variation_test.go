// SPDX-License-Identifier: Apache-2.0

package firmware_test

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// TestVariationReachesTheRobot: what the world file says of the single robot is what it does.
func TestVariationReachesTheRobot(t *testing.T) {
	w, err := sim.ParseWorld([]byte(`
robots:
  - {name: drawn}
  - {name: varied, position: [1, 0], variation: {wheel_radii: [0.0197, 0.0203], slip: 0.002, infrared: 0.2, inertial: 0.02}}
`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(w, sim.Options{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	drawn, varied := sim.RobotsOf[*sim.Firmware](s)[0], sim.RobotsOf[*sim.Firmware](s)[1]
	if v, omega := drawn.Body().Chassis.Twist(1000, 1000); math.Abs(v-2*math.Pi*0.02) > 1e-12 || omega != 0 {
		t.Errorf("the robot as drawn: %v m/s, %v rad/s", v, omega)
	}
	if _, omega := varied.Body().Chassis.Twist(1000, 1000); math.Abs(omega-2*math.Pi*0.0006/0.05685) > 1e-9 {
		t.Errorf("unequal wheels turn it by %v rad/s", omega)
	}
	if a, _, _ := drawn.Body().Inertia.Wrong(); a != nil {
		t.Error("the sensors of the robot as drawn are off")
	}
	if a, _, _ := varied.Body().Inertia.Wrong(); a == nil {
		t.Error("the sensors of the varied robot are right")
	}
}
