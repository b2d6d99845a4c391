// SPDX-License-Identifier: Apache-2.0

package acceptance

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// errNoSimulated is the error of the program for a Pi Zero: its 20 MB are for what a robot needs.
var errNoSimulated = errors.New("this program, for ARMv6, tests no simulated robots: --simulated is in the programs for PCs (amd64, arm64)")

// simulate leaves it to the programs for PCs to test a simulated robot.
func (*options) simulate() (*tested, error) { return nil, errNoSimulated }

// others are commands that work on reports, which the programs for PCs have.
func others(*frame.Program) []*cobra.Command { return nil }
