// SPDX-License-Identifier: Apache-2.0

package nav_msgs_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
)

func ExampleOdometry() {
	odometry := nav_msgs.DefaultOdometry()
	odometry.Header.FrameID = "odom"
	odometry.ChildFrameID = "base_link"
	odometry.Twist.Twist.Linear.X = 0.1 // m/s
	fmt.Println(odometry.ROSType(), len(cdr.Append(nil, &odometry)), "bytes")
	// Output: nav_msgs/msg/Odometry 724 bytes
}
