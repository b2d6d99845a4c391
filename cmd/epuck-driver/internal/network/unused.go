// SPDX-License-Identifier: Apache-2.0

package network

import (
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// WarnUnused logs the parameters of a command line and its files that none of the nodes has declared. It is called
// when the nodes have declared theirs.
func WarnUnused(log *slog.Logger, args ros2.Args, nodes ...*ros2.Node) {
	for _, u := range ros2.UnusedParameters(args, nodes...) {
		log.Warn("a parameter has no effect: " + u.String())
	}
}
