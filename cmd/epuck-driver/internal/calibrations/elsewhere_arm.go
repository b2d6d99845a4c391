// SPDX-License-Identifier: Apache-2.0

package calibrations

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// errElsewhere is returned by the program for a Pi Zero, whose size limit excludes the estimators.
var errElsewhere = errors.New("this program, for ARMv6, does not compute calibrations: calibrate is in the programs for PCs " +
	"(amd64, arm64) and works from any machine of the robot's network")

func newCalibrateWheelsCommand(*frame.Program) *cobra.Command {
	return frame.Elsewhere("wheels", errElsewhere)
}

func newCalibrateCameraCommand(*frame.Program) *cobra.Command {
	return frame.Elsewhere("camera", errElsewhere)
}

func newCalibrateIRCommand(*frame.Program) *cobra.Command {
	return frame.Elsewhere("ir", errElsewhere)
}

func newCalibrateIMUCommand(*frame.Program) *cobra.Command {
	return frame.Elsewhere("imu", errElsewhere)
}
