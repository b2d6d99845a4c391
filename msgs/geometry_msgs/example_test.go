// SPDX-License-Identifier: Apache-2.0

package geometry_msgs_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
)

// The zero Quaternion is not a rotation: start from the default.
func ExampleDefaultPose() {
	pose := geometry_msgs.DefaultPose()
	pose.Position.X = 0.5
	fmt.Printf("%+v\n", pose)
	// Output: {Position:{X:0.5 Y:0 Z:0} Orientation:{X:0 Y:0 Z:0 W:1}}
}
