// SPDX-License-Identifier: Apache-2.0

package security_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security"
)

// A transport without DDS Security refuses to run where security is enforced.
func ExampleFromEnvironment() {
	env := map[string]string{"ROS_SECURITY_ENABLE": "true", "ROS_SECURITY_STRATEGY": "Enforce"}
	s := security.FromEnvironment(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	fmt.Println(s.Check())
	// Output:
	// the transport rtps has no DDS Security: ROS_SECURITY_ENABLE=true with ROS_SECURITY_STRATEGY=Enforce forbids joining the network without it
}
