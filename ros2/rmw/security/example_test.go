// SPDX-License-Identifier: Apache-2.0

package security_test

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security"
)

// Without keys no participant joins a network where security is enforced.
func ExampleFromEnvironment() {
	env := map[string]string{"ROS_SECURITY_ENABLE": "true", "ROS_SECURITY_STRATEGY": "Enforce"}
	s := security.FromEnvironment(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	_, _, err := s.Open(0, nil)
	fmt.Println(errors.Is(err, security.ErrUnavailable))
	fmt.Println(err)
	// Output:
	// true
	// DDS Security is enforced (ROS_SECURITY_ENABLE=true, ROS_SECURITY_STRATEGY=Enforce), and its keys cannot be used: ROS_SECURITY_KEYSTORE is not set
}
