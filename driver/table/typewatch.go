// SPDX-License-Identifier: Apache-2.0

package table

import "github.com/epuck-ros2/epuck-driver/ros2/typewatch"

// CommandTypes describes cmd_vel for package typewatch: the driver subscribes to one of its two message types, the
// stamped one if stamped, and Nav2 and teleop packages changed from one to the other.
func CommandTypes(stamped bool) typewatch.Config {
	c := typewatch.Config{
		Topic:   TopicCmdVel,
		Warning: "cmd_vel is published with another message type than the driver's: set cmd_vel_stamped accordingly",
	}
	for _, row := range SubscribedBy("") {
		if row.Name == TopicCmdVel {
			c.Ours, c.Other = row.Type, row.AltType
		}
	}
	if stamped {
		c.Ours, c.Other = c.Other, c.Ours
	}
	return c
}
