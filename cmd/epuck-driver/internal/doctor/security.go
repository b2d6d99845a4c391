// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"fmt"
)

// checkSecurity looks at the variables by which ROS 2 programs are secured. The driver's own transport has no DDS
// Security: it refuses to start where security is enforced and runs unprotected elsewhere.
func checkSecurity(_ context.Context, m *Machine) []Finding {
	if m.Getenv == nil {
		return nil
	}
	const (
		check = "ROS security"
		fix   = "unset ROS_SECURITY_ENABLE  # or epuck-driver run --transport rclgo, in a program built with it"
	)
	enable := m.Getenv("ROS_SECURITY_ENABLE")
	switch {
	case enforced(m):
		return failure(check, "ROS_SECURITY_STRATEGY=Enforce, and the transport rtps has no DDS Security: the driver refuses to start", fix)
	case enable == "true":
		return warning(check, "ROS_SECURITY_ENABLE=true, and the transport rtps has no DDS Security: anyone on the network can drive the robot", fix)
	case enable != "" && enable != "false":
		return warning(check, fmt.Sprintf("ROS_SECURITY_ENABLE=%.20q: ROS 2 takes nothing but true, so security is off", enable), "export ROS_SECURITY_ENABLE=true  # or unset it")
	}
	return ok(check, "not requested: anyone on the network can drive the robot")
}

// enforced reports whether the environment forbids to join a network without DDS Security.
func enforced(m *Machine) bool {
	return m.Getenv != nil && m.Getenv("ROS_SECURITY_ENABLE") == "true" && m.Getenv("ROS_SECURITY_STRATEGY") == "Enforce"
}
