// SPDX-License-Identifier: Apache-2.0

package rmw

import "errors"

var (
	// ErrEnvironment: an environment variable has a value that cannot be used.
	ErrEnvironment = errors.New("bad environment variable")
	// ErrConfig: a field of Config has a value that cannot be used.
	ErrConfig = errors.New("bad configuration")
	// ErrName: a name has no place in DDS.
	ErrName = errors.New("name cannot be mapped to DDS")
	// ErrGraphMessage: a message of ros_discovery_info is neither of the known
	// forms, or too large.
	ErrGraphMessage = errors.New("bad graph message")
)
