// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// The rows are what the documentation is made of, and what the driver reads its settings by.
func Example() {
	p := ros2.NewParameters(ros2.Args{}, ros2.NodeName{Name: "epuck_driver"})
	if err := table.DeclareIn(p); err != nil {
		fmt.Println(err)
		return
	}
	set, err := table.ReadSettings(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("a cycle takes", set.Period)
	for _, row := range table.Topics() {
		if row.Name == table.TopicCmdVel {
			fmt.Println(row.Name, "is", row.Type, "or", row.AltType)
		}
	}
	// Output:
	// a cycle takes 50ms
	// cmd_vel is geometry_msgs/msg/Twist or geometry_msgs/msg/TwistStamped
}
