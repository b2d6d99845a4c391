// SPDX-License-Identifier: Apache-2.0

package navigate_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/navigate"
)

// A robot at the origin that looks along x turns to the left first to get to a place there.
func ExampleFollower() {
	f, _ := navigate.NewFollower(navigate.Limits{}, navigate.Goal{X: 0, Y: 0.2, Theta: navigate.AnyHeading})
	v, omega, done := f.Step(navigate.Pose{})
	fmt.Println(v, omega, done, f.Reached())
	// Output: 0 1 false 0
}
