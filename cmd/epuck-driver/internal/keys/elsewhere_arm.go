// SPDX-License-Identifier: Apache-2.0

package keys

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// errElsewhere is the error of the program for a Pi Zero: the authority's private key must not be on a robot.
var errElsewhere = errors.New("this program, for ARMv6, makes no keys: security is in the programs for PCs (amd64, arm64); " +
	"the key of the authority stays off the robots")

func NewCommand(*frame.Program) *cobra.Command { return frame.Elsewhere("security", errElsewhere) }
