// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"testing"
)

// TestVariationReachesTheRobot: what the world file says of the single robot is what it does.
func TestVariationReachesTheRobot(t *testing.T) {
	w, err := ParseWorld([]byte(`
robots:
  - {name: drawn}
  - {name: varied, position: [1, 0], variation: {wheel_radii: [0.0197, 0.0203], slip: 0.002, infrared: 0.2, inertial: 0.02}}
`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(w, Options{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	drawn, varied := RobotsOf[*Firmware](s)[0], RobotsOf[*Firmware](s)[1]
	if v, omega := drawn.body.Twist(1000, 1000); math.Abs(v-2*math.Pi*0.02) > 1e-12 || omega != 0 {
		t.Errorf("the robot as drawn: %v m/s, %v rad/s", v, omega)
	}
	if _, omega := varied.body.Twist(1000, 1000); math.Abs(omega-2*math.Pi*0.0006/0.05685) > 1e-9 {
		t.Errorf("unequal wheels turn it by %v rad/s", omega)
	}
	if a, _, _ := drawn.inertia.Wrong(); a != nil {
		t.Error("the sensors of the robot as drawn are off")
	}
	if a, _, _ := varied.inertia.Wrong(); a == nil {
		t.Error("the sensors of the varied robot are right")
	}
}
