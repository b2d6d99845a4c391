// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// errNoSimulated is returned by the program for a Pi Zero, whose size limit of 20 MB excludes the simulation.
var errNoSimulated = errors.New("this program, for ARMv6, tests no simulated robots: --simulated is in the programs for PCs (amd64, arm64)")

// simulate returns errNoSimulated.
func (*options) simulate() (*tested, error) { return nil, errNoSimulated }

// others returns no commands: those that process reports are in the programs for PCs.
func others(*frame.Program) []*cobra.Command { return nil }
