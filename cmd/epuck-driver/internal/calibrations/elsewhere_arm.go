// SPDX-License-Identifier: Apache-2.0

package calibrations

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// errNoBoards is the answer of the program for a Pi Zero, which has no room for it.
var errNoBoards = errors.New("this program, for ARMv6, does not compute lenses: calibrate camera is in the programs for PCs " +
	"(amd64, arm64) and works from any machine of the robot's network")

func newCalibrateCameraCommand(*frame.Program) *cobra.Command {
	return frame.Elsewhere("camera", errNoBoards)
}
