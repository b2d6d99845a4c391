// SPDX-License-Identifier: Apache-2.0

package rclgo

import "log/slog"

// EnvironmentDomain lets ROS_DOMAIN_ID choose the domain.
const EnvironmentDomain = -1

// Config describes a transport.
type Config struct {
	// Args is the command line, without the program's name. What it says for rcl
	// itself (--enclave, --log-level, --log-config-file and the like) is passed
	// on; names and parameters are the business of package ros2. It defaults to
	// none.
	Args []string
	// DomainID separates groups of nodes on one network: 0 … 232, or
	// [EnvironmentDomain].
	DomainID int
	// Logger gets what goes wrong beside any call. It defaults to one that
	// discards.
	Logger *slog.Logger
}
