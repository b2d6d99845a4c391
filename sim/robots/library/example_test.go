// SPDX-License-Identifier: Apache-2.0

package library_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

func ExampleLoad() {
	r, err := library.Load("turtlebot3_burger")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: wheels of %.0f mm, %.0f mm apart, %d devices\n", r.Name, 1e3*r.Drive.Radius, 1e3*r.Drive.Separation, len(r.Devices))
	// Output: turtlebot3_burger: wheels of 33 mm, 160 mm apart, 4 devices
}
