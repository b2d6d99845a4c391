// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"slices"
	"strings"
)

// rclgo has no parameters: it parses those of the command line and does not tell them.
// Package ros2 has them, and has applied the remappings, too, before a name gets
// here; rcl would apply them a second time, to names that are already right (and
// rename every node of the transport to __node). So of the arguments only those
// that are rcl's own business are passed on.

// applied are the options that package ros2 has dealt with; each has a value.
var applied = []string{"-r", "--remap", "-p", "--param", "--params-file"}

// Quiet arguments come first, so that the user's win: rcl opens a log file for
// what it logs itself unless told otherwise. The topic /rosout belongs to package
// ros2, whatever the user says.
const (
	noLogFile = "--disable-external-lib-logs"
	noRosout  = "--disable-rosout-logs"
	rosArgs   = "--ros-args"
	endArgs   = "--"
)

// forRCL returns the arguments that rcl shall see, as rclgo.ParseArgs wants them.
func forRCL(args []string) []string {
	out := []string{rosArgs, noLogFile}
	inside := false
	for i := 0; i < len(args); i++ {
		arg := args[i]
		option, _, attached := strings.Cut(arg, "=")
		switch {
		case arg == rosArgs:
			inside = true
		case arg == endArgs:
			inside = false
		case !inside || strings.HasSuffix(arg, "able-rosout-logs"):
		case slices.Contains(applied, arg):
			i++ // its value
		case attached && slices.Contains(applied, option):
		default:
			out = append(out, arg)
		}
	}
	return append(out, noRosout)
}
