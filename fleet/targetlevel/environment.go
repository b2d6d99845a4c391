// SPDX-License-Identifier: Apache-2.0

//go:build linux

package targetlevel

import (
	"slices"
	"strings"
)

// Environment returns those of this computer's variables, NAME=VALUE, that a robot's programs get: those of ROS 2 and
// Go's runtime, HOME, LANG, PATH and TZ, sorted. The others, such as PWD and those of a terminal, would make runs
// differ: the start of a program's stack depends on their length, and the time of Go's look-ups on their number.
func Environment(all []string) []string {
	kept := []string{}
	for _, variable := range all {
		if name, _, _ := strings.Cut(variable, "="); robotHas(name) {
			kept = append(kept, variable)
		}
	}
	slices.Sort(kept)
	return kept
}

func robotHas(name string) bool {
	for _, prefix := range []string{"ROS_", "RMW_", "AMENT_", "RTPS_", "CYCLONEDDS_", "FASTDDS_", "FASTRTPS_", "RCUTILS_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{"GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT", "GOTRACEBACK", "HOME", "LANG", "PATH", "TZ"}, name)
}
