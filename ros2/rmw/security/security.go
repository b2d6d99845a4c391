// SPDX-License-Identifier: Apache-2.0

// Package security determines from ROS 2's environment variables how a participant is secured, finds the files of its
// enclave and reads them.
//
// Sources: rcl, src/rcl/security.c; rmw_dds_common, src/security.cpp.
package security

import "errors"

const (
	envEnable   = "ROS_SECURITY_ENABLE"
	envStrategy = "ROS_SECURITY_STRATEGY"
	envKeystore = "ROS_SECURITY_KEYSTORE"
	envOverride = "ROS_SECURITY_ENCLAVE_OVERRIDE"
)

// ErrUnavailable means that security is enforced and cannot be had. The text names the file that is missing or wrong.
var ErrUnavailable = errors.New("DDS Security is enforced")

// Strategy is what to do without valid keys.
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

// Settings are what the environment says. The zero value is no security.
type Settings struct {
	// Strategy is what to do without valid keys.
	Strategy Strategy
	// Keystore is the folder of the keystore.
	Keystore string
	// Override is the enclave to use instead of Enclave, or empty.
	Override string
	// Enclave is the name of the enclave, as /robot1. It defaults to "/".
	Enclave string
}

// FromEnvironment returns the settings of the environment, whose variables lookup finds as [os.LookupEnv] does. As in
// rcl, values are compared exactly: security is requested by "true" alone, and every strategy other than "Enforce" is
// the permissive one. Without it the others have no effect.
func FromEnvironment(lookup func(string) (string, bool)) Settings {
	if enable, _ := lookup(envEnable); enable != "true" {
		return Settings{}
	}
	s := Settings{Strategy: Permissive}
	if strategy, _ := lookup(envStrategy); strategy == "Enforce" {
		s.Strategy = Enforce
	}
	s.Keystore, _ = lookup(envKeystore)
	s.Override, _ = lookup(envOverride)
	return s
}

// Name returns the name of the enclave.
func (s Settings) Name() string {
	switch {
	case s.Override != "":
		return s.Override
	case s.Enclave != "":
		return s.Enclave
	}
	return "/"
}
