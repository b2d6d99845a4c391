// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security"
)

// checkSecurity checks the variables of ROS 2 security, and reads the keys that they name as the driver does.
func checkSecurity(_ context.Context, m *Machine) []Finding {
	if m.Getenv == nil {
		return nil
	}
	const (
		check = "ROS security"
		fix   = "epuck-driver security list_enclaves KEYSTORE  # and set ROS_SECURITY_KEYSTORE and ROS_SECURITY_ENCLAVE_OVERRIDE"
	)
	settings, domain := securityOf(m)
	_, warned, err := settings.Open(domain, nil)
	enable := m.Getenv("ROS_SECURITY_ENABLE")
	switch {
	case err != nil:
		return failure(check, fmt.Sprintf("the driver refuses to start: %v", err), fix)
	case warned != "":
		return warning(check, warned, fix)
	case settings.Strategy != security.Off:
		return ok(check, fmt.Sprintf("enclave %s of %s; domain %d", settings.Name(), settings.Keystore, domain))
	case !slices.Contains([]string{"", "false", "0", "off", "no"}, strings.ToLower(enable)):
		return warning(check, fmt.Sprintf("ROS_SECURITY_ENABLE=%.20q: ROS 2 takes nothing but true, so security is off", enable), "export ROS_SECURITY_ENABLE=true  # or unset it")
	}
	return ok(check, "not requested: anyone on the network can drive the robot")
}

// securityOf returns the settings of the environment, and the domain.
func securityOf(m *Machine) (security.Settings, uint32) {
	settings := security.FromEnvironment(func(name string) (string, bool) { v := m.Getenv(name); return v, v != "" })
	if m.CheckEnvironment == nil {
		return settings, 0
	}
	domain, _ := m.CheckEnvironment() // an invalid one is reported by another check
	return settings, domain
}

// refused reports whether the environment forbids joining the network because the keys are missing.
func refused(m *Machine) bool {
	if m.Getenv == nil {
		return false
	}
	settings, domain := securityOf(m)
	_, _, err := settings.Open(domain, nil)
	return err != nil
}
