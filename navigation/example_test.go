// SPDX-License-Identifier: Apache-2.0

package navigation_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/navigation"
)

// A robot at the origin that looks along x turns to the left first to get to a place there.
func ExampleFollower() {
	f, _ := navigation.NewFollower(navigation.Limits{}, navigation.Goal{X: 0, Y: 0.2, Theta: navigation.AnyHeading})
	v, omega, done := f.Step(navigation.Pose{})
	fmt.Println(v, omega, done, f.Reached())
	// Output: 0 1 false 0
}
