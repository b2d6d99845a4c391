// SPDX-License-Identifier: Apache-2.0

package network

import (
	"os"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces/rolling"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Interfaces is a version of simulation_interfaces, 1 or 2, as the value of a flag.
type Interfaces int

// oldInterfaces are the distributions with version 1, which is also that of an unset ROS_DISTRO.
var oldInterfaces = []string{"", "humble", "iron", "jazzy", "kilted"}

// InterfacesHere returns the version of the sourced ROS 2 distribution.
func InterfacesHere() Interfaces {
	if slices.Contains(oldInterfaces, os.Getenv("ROS_DISTRO")) {
		return 1
	}
	return 2
}

// Flags adds --simulation-interfaces to a command.
func (i *Interfaces) Flags(f *pflag.FlagSet) {
	*i = InterfacesHere()
	f.Var(i, "simulation-interfaces", "`VERSION` of simulation_interfaces for the services: 1 (Humble to Kilted) or 2 (Rolling);\n"+
		"it is that of ROS_DISTRO without the flag")
	f.Lookup("simulation-interfaces").DefValue = ""
}

// String implements pflag.Value.
func (i *Interfaces) String() string { return strconv.Itoa(int(*i)) }

// Type implements pflag.Value.
func (i *Interfaces) Type() string { return "version" }

// Set implements pflag.Value.
func (i *Interfaces) Set(text string) error {
	switch text {
	case "1":
		*i = 1
	case "2":
		*i = 2
	default:
		return frame.Usagef("must be 1 or 2")
	}
	return nil
}

// Definition returns a type's definition in this version; false if there is none.
func (i Interfaces) Definition(rosType string) (string, bool) {
	if i == 2 {
		for _, m := range []ros2.DefinedMessage{
			new(rolling.Spawnable), new(rolling.GetSpawnablesResponse), new(rolling.SetEntityStateRequest), new(rolling.SpawnEntityRequest),
			new(rolling.LoadWorldRequest),
		} {
			if m.ROSType() == rosType {
				text, _ := m.TypeDefinition()
				return text, true
			}
		}
	}
	return msgs.Definition(rosType)
}
