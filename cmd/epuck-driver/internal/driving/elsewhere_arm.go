// SPDX-License-Identifier: Apache-2.0

package driving

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// Commands that the program for a Pi Zero leaves out, because of its size and the Pi Zero's speed.
var errNoNavigation = errors.New("this program, for ARMv6, does not build maps or plan paths: map, goto, path and navigate " +
	"are in the programs for PCs (amd64, arm64) and work from any machine of the robot's network")

func NewMapCommand(*frame.Program) *cobra.Command  { return frame.Elsewhere("map", errNoNavigation) }
func NewGotoCommand(*frame.Program) *cobra.Command { return frame.Elsewhere("goto", errNoNavigation) }
func NewPathCommand(*frame.Program) *cobra.Command { return frame.Elsewhere("path", errNoNavigation) }
func NewNavigateCommand(*frame.Program) *cobra.Command {
	return frame.Elsewhere("navigate", errNoNavigation)
}
