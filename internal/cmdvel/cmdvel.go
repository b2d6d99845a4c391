// SPDX-License-Identifier: Apache-2.0

// Package cmdvel has the two types of velocity commands, which robots take on the topic cmd_vel. ROS does not match
// a publisher of one with a subscriber of the other.
package cmdvel

import "slices"

// Types of velocity commands. Nav2 and teleop packages changed from the first to the second.
const (
	Twist        = "geometry_msgs/msg/Twist"
	TwistStamped = "geometry_msgs/msg/TwistStamped"
)

// Type returns the type to publish for subscriptions of the given types: [Twist] if one of them takes it, else
// [TwistStamped] if one takes that, else "".
func Type(subscribed []string) string {
	for _, rosType := range []string{Twist, TwistStamped} {
		if slices.Contains(subscribed, rosType) {
			return rosType
		}
	}
	return ""
}
