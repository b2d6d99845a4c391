// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"slices"
	"strings"
)

// rclgo parses the parameters of the command line but does not provide them. Package ros2 handles parameters, and has
// already applied the remappings; rcl would apply them a second time (and rename every node of the transport to
// __node). So only the arguments for rcl itself are passed on.

// applied are the options that package ros2 handles; each has a value.
var applied = []string{"-r", "--remap", "-p", "--param", "--params-file"}

// The first arguments, which the user's override, prevent rcl from opening a log file of its own. /rosout is always
// left to package ros2.
const (
	noLogFile = "--disable-external-lib-logs"
	noRosout  = "--disable-rosout-logs"
	rosArgs   = "--ros-args"
	endArgs   = "--"
)

// forRCL returns the arguments for rcl, in the form for rclgo.ParseArgs.
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
