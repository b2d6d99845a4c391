// SPDX-License-Identifier: Apache-2.0

package rclgo

import "log/slog"

// EnvironmentDomain selects the domain of ROS_DOMAIN_ID.
const EnvironmentDomain = -1

// Config describes a transport.
type Config struct {
	// Args is the command line, without the program's name. Options for rcl itself, such as --enclave, --log-level and
	// --log-config-file, are passed on; package ros2 handles names and parameters. It defaults to none.
	Args []string
	// DomainID separates groups of nodes on one network: 0 … 232, or
	// [EnvironmentDomain].
	DomainID int
	// Logger gets errors that no call returns. It defaults to discarding.
	Logger *slog.Logger
}
