// SPDX-License-Identifier: Apache-2.0

// Package security determines from ROS 2's environment variables whether DDS Security is requested, and what a
// transport without it must do then. ROS_SECURITY_KEYSTORE and ROS_SECURITY_ENCLAVE_OVERRIDE select keys and have no
// effect here.
//
// Source: rcl, src/rcl/security.c.
package security

import (
	"errors"
	"fmt"
)

const (
	envEnable   = "ROS_SECURITY_ENABLE"
	envStrategy = "ROS_SECURITY_STRATEGY"
)

// ErrUnavailable means that DDS Security is required of a transport that does not implement it.
var ErrUnavailable = errors.New("the transport rtps has no DDS Security")

// Strategy is what to do if DDS Security is requested but not available.
type Strategy uint8

// Values of [Strategy].
const (
	// Off is the default: security was not requested.
	Off Strategy = iota
	// Permissive runs unprotected and logs a warning.
	Permissive
	// Enforce refuses to join the network.
	Enforce
)

// FromEnvironment returns the strategy of the environment, whose variables lookup finds as [os.LookupEnv] does. As in
// rcl, values are compared exactly: security is requested by "true" alone, and every strategy other than "Enforce" is
// the permissive one.
func FromEnvironment(lookup func(string) (string, bool)) Strategy {
	if enable, _ := lookup(envEnable); enable != "true" {
		return Off
	}
	if strategy, _ := lookup(envStrategy); strategy == "Enforce" {
		return Enforce
	}
	return Permissive
}

// Check returns an error that wraps [ErrUnavailable] if the strategy forbids joining the network unprotected.
func (s Strategy) Check() error {
	if s < Enforce {
		return nil
	}
	return fmt.Errorf("%w: %s=true with %s=Enforce forbids joining the network without it", ErrUnavailable, envEnable, envStrategy)
}

// Warning returns a warning for the user before the network is joined, or "".
func (s Strategy) Warning() string {
	if s != Permissive {
		return ""
	}
	return envEnable + "=true has no effect: the transport rtps has no DDS Security. Messages are neither authenticated nor encrypted; " +
		"anyone on the network can drive the robot. Set " + envStrategy + "=Enforce to refuse to start instead"
}
