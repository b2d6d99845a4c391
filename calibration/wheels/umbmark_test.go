// SPDX-License-Identifier: Apache-2.0

package wheels_test

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
)

// A quarter turn on the spot, as a robot sees it whose wheels are 3 % nearer to each other than it believes.
func ExampleGeometry_End() {
	believed := wheels.Nominal()
	angle := math.Pi / 2 * believed.Distance / 2 / believed.Radius()
	real := believed
	real.Distance *= 0.97
	fmt.Printf("%.2f°\n", real.End([]wheels.Turn{{Left: -angle, Right: angle}}).Theta*180/math.Pi)
	// Output: 92.78°
}
