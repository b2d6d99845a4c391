// SPDX-License-Identifier: Apache-2.0

package epuck2_test

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
)

// A command in metres and radians a second becomes motor steps a second, and a reading in counts a distance.
func Example() {
	wheels := epuck2.Wheels{Radius: 0.02, Distance: 0.05685, MaxSpeed: 6.91, SpeedUnit: 2 * math.Pi / 1000}
	left, right := wheels.Steps(0.05, 0.5)
	fmt.Println("steps:", left, right)

	curve := epuck2.DefaultInfraredCurve()
	fmt.Printf("235 counts: %.3f m\n", curve.Range(235))
	// Output:
	// steps: 285 511
	// 235 counts: 0.030 m
}
