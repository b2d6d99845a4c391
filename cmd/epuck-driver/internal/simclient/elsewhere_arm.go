// SPDX-License-Identifier: Apache-2.0

package simclient

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// errNotHere: the robot's program simulates one robot and has no services of a simulation.
var errNotHere = errors.New("this program, for ARMv6, has no commands for a running simulation: they are in the programs for PCs (amd64, arm64)")

// Commands returns commands that return errNotHere.
func Commands(*frame.Program) (all []*cobra.Command) {
	for _, name := range []string{"list", "spawn", "delete", "state", "pause", "resume", "step", "reset"} {
		all = append(all, frame.Elsewhere(name, errNotHere))
	}
	return all
}

// KnownModel returns an empty name: this program does not simulate other robots.
func KnownModel(string) string { return "" }
