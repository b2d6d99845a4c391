// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// worlds is how many worlds the levels are compared in.
func worlds() int {
	if suite.Long {
		return 20
	}
	return 3
}

// comparedWorld returns world number n with the robot r: an arena with boxes and posts, of which some are near the
// robot, floor patterns, a magnetic field, and light, which in every third world is so bright that the infrared sensors
// clip.
func comparedWorld(n int) string {
	dice := rand.New(rand.NewPCG(uint64(n), 29))
	within := func(low, high float64) float64 { return low + (high-low)*dice.Float64() }
	x, y, yaw := within(-0.3, 0.3), within(-0.3, 0.3), within(-math.Pi, math.Pi)
	var b strings.Builder
	ambient := within(0.2, 1.2)
	if n%3 == 0 {
		ambient = within(1.6, 2.1)
	}
	fmt.Fprintf(&b, "ambient_irradiance: %.3f\n", ambient)
	fmt.Fprintf(&b, "magnetic_field: [%.2e, %.2e, %.2e]\n", within(-2e-5, 2e-5), within(1e-5, 3e-5), within(-5e-5, -3e-5))
	fmt.Fprintf(&b, "arena: {size: [%.2f, %.2f]}\n", within(1, 2), within(1, 2))
	fmt.Fprintf(&b, "floor: {reflectance: %.2f, circles: [{position: [%.3f, %.3f], radius: 0.05, reflectance: 0.1}]}\n",
		within(0.4, 1), x+0.05*math.Cos(yaw), y+0.05*math.Sin(yaw))
	fmt.Fprintf(&b, "lights: [{position: [%.2f, %.2f, 0.3], intensity: %.3f}]\n", within(-0.5, 0.5), within(-0.5, 0.5), within(0.005, 0.03))
	b.WriteString("cylinders:\n")
	for range 4 {
		at, d := within(-math.Pi, math.Pi), within(0.06, 0.09)
		fmt.Fprintf(&b, "  - {position: [%.4f, %.4f], radius: 0.01, height: %.3f}\n", x+d*math.Cos(at), y+d*math.Sin(at), within(0.02, 0.1))
	}
	fmt.Fprintf(&b, "  - {position: [%.4f, %.4f], radius: 0.02, height: 0.1}\n", x+within(0.12, 1)*math.Cos(yaw), y+within(0.12, 1)*math.Sin(yaw))
	fmt.Fprintf(&b, "robots: [{name: r, position: [%.4f, %.4f], yaw: %.4f, battery: {charge: %.2f}}]\n", x, y, yaw, within(0.3, 0.9))
	return b.String()
}
