// SPDX-License-Identifier: Apache-2.0

package odometry_test

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/odometry"
)

// Half a second on a left-hand bend, across the wrap of the left counter.
func ExampleOdometer_Update() {
	o, err := odometry.New(odometry.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	left, right := int16(32760), int16(100)
	_, event := o.Update(left, right, 0)
	fmt.Println(event)
	var s odometry.State
	for range 10 {
		left, right = left+20, right+30
		s, event = o.Update(left, right, 50*time.Millisecond)
	}
	fmt.Printf("%.4f m %.4f m %.3f rad, %.3f m/s %.2f rad/s, %v\n", s.X, s.Y, s.Theta, s.V, s.Omega, event)
	// Output:
	// first reading
	// 0.0312 m 0.0035 m 0.221 rad, 0.063 m/s 0.44 rad/s, none
}
