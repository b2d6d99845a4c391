// SPDX-License-Identifier: Apache-2.0

package build

import (
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/rclgo"
)

// The values of --transport.
const (
	RTPS  = "rtps"  // the default: pure Go, no ROS 2 needed
	RCLGo = "rclgo" // ROS 2's own rcl, in programs built with it
)

// Transports returns the transports of this program, the default first.
func Transports() []string {
	if rclgo.BuiltIn {
		return []string{RTPS, RCLGo}
	}
	return []string{RTPS}
}

// transportsText formats the transports for users.
func transportsText(built []string) string {
	text := strings.Join(built, ", ")
	text = strings.Replace(text, RTPS, RTPS+" (default)", 1)
	if !slices.Contains(built, RCLGo) {
		text += "; " + RCLGo + " is not built in"
	}
	return text
}
