// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

const (
	// ROSArgs precedes the ROS arguments of a command line.
	ROSArgs = "--ros-args"
	// takesROS is the annotation of commands that take ROS arguments.
	takesROS = "ros-args"
)

// ROSArgumentHelp lists the ROS arguments and their meanings, for help, the manual page and completion.
var ROSArgumentHelp = [][2]string{
	{"-r FROM:=TO", "rename a topic or service; __ns:=/robot1 sets the namespace, __node:=NAME the node's name"},
	{"-p NAME:=VALUE", "set a parameter"},
	{"--params-file FILE", "set the parameters of a YAML file"},
	{"--log-level LEVEL", "debug, info, warn, error or fatal"},
}

// TakesROSArguments makes a command accept ROS arguments, which are in p.ROS when it runs.
func (p *Program) TakesROSArguments(cmd *cobra.Command) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[takesROS] = "yes"
}

// splitROSArguments removes the ROS arguments from the command line of a sub-command of root that accepts them.
func (p *Program) splitROSArguments(root *cobra.Command, args []string) ([]string, error) {
	at := slices.Index(args, ROSArgs)
	if at < 0 {
		return args, nil
	}
	if cmd, _, unknown := root.Find(args[:at]); unknown != nil || cmd.Annotations[takesROS] == "" {
		return args, nil //nolint:nilerr // cobra reports the unknown command or flag
	}
	own, rest, err := ros2.ParseArgs(args)
	if err != nil {
		return args[:at], Usagef("%v", err)
	}
	p.ROS = own
	return rest, nil
}

// completesROSArguments reports whether the last word of args is a ROS argument that is being typed.
func completesROSArguments(args []string) bool {
	inside := false
	for _, a := range args[:max(len(args)-1, 0)] {
		inside = a == ROSArgs || inside && a != "--"
	}
	return inside
}

// rosArgumentWords returns the completions of the last of args, a ROS argument.
func rosArgumentWords(args []string) []string {
	before, typed := args[len(args)-2], args[len(args)-1]
	var words []string
	switch before {
	case "-p", "--param":
		for _, p := range table.Parameters() {
			words = append(words, p.Name+":=")
		}
	case "-r", "--remap":
		words = append(words, "__ns:=/", "__node:=")
		for _, t := range table.Topics() {
			words = append(words, t.Name+":=")
		}
	case "--log-level":
		words = []string{"debug", "info", "warn", "error", "fatal"}
	default:
		for _, a := range ROSArgumentHelp {
			name, _, _ := strings.Cut(a[0], " ")
			words = append(words, name)
		}
		words = append(words, "--")
	}
	return slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, typed) })
}
