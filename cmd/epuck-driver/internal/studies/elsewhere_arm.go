// SPDX-License-Identifier: Apache-2.0

package studies

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// Commands that the program for a Pi Zero leaves out, because of its size and the Pi Zero's speed.
var (
	errNoExperiments = errors.New("this program, for ARMv6, simulates one robot in real time: several robots, controllers in the " +
		"process and experiments are in the programs for PCs (amd64, arm64)")
	errNoEstimate = errors.New("this program, for ARMv6, does not emulate its own processor: estimate is in the programs for PCs " +
		"(amd64, arm64)")
	errNoRobots = errors.New("this program, for ARMv6, is for the e-puck2 alone: robots is in the programs for PCs (amd64, arm64)")
)

func NewExperimentCommand(*frame.Program) *cobra.Command {
	return frame.Elsewhere("experiment", errNoExperiments)
}
func NewEstimateCommand(*frame.Program) *cobra.Command {
	return frame.Elsewhere("estimate", errNoEstimate)
}
func NewRobotsCommand(*frame.Program) *cobra.Command { return frame.Elsewhere("robots", errNoRobots) }
