// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// What the program for a Pi Zero has no room for, and the Pi Zero no time: its 20 MB go to what a robot needs.
var (
	errNoSwarm = errors.New("this program, for ARMv6, simulates one robot at speed 1: several robots, controllers in the " +
		"process and experiments are in the programs for PCs (amd64, arm64)")
	errNoWifi = errors.New("this program, for ARMv6, is for the Raspberry Pi on the robot: --wifi is in the programs for PCs " +
		"(amd64, arm64)")
	errNoNavigation = errors.New("this program, for ARMv6, makes no maps and looks for no ways: map, goto, path and navigate " +
		"are in the programs for PCs (amd64, arm64) and work from any machine of the robot's network")
	errNoEstimate = errors.New("this program, for ARMv6, does not emulate its own processor: estimate is in the programs for PCs " +
		"(amd64, arm64)")
	errNoBoards = errors.New("this program, for ARMv6, does not compute lenses: calibrate camera is in the programs for PCs " +
		"(amd64, arm64) and works from any machine of the robot's network")
)

// controllerOptions are the flags of sim that only say that they are elsewhere.
type controllerOptions struct{ name string }

func (o *controllerOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.name, "controller", "", "`NAME` of a controller; not in this program")
}

func (o *controllerOptions) check(time.Duration) error {
	if o.name != "" {
		return errNoSwarm
	}
	return nil
}

func (o *simOptions) controlled(context.Context, streams, *sim.World) error { return errNoSwarm }

func (o *simOptions) fleet(context.Context, streams, *sim.World) error { return errNoSwarm }

// hostAlone offers nothing: what moves robots about is with the swarms.
func (o *simOptions) hostAlone(*ros2.Node, *sim.Simulation) (stop func() error, err error) {
	return func() error { return nil }, nil
}

func (o *simOptions) radio(context.Context, streams, *sim.World) error { return errNoWifi }

// openWifi refuses.
func openWifi(string) func(*ros2.Node, *slog.Logger) (hardware, error) {
	return func(*ros2.Node, *slog.Logger) (hardware, error) { return hardware{}, errNoWifi }
}

func newMapCommand(*program) *cobra.Command             { return elsewhere("map", errNoNavigation) }
func newGotoCommand(*program) *cobra.Command            { return elsewhere("goto", errNoNavigation) }
func newPathCommand(*program) *cobra.Command            { return elsewhere("path", errNoNavigation) }
func newNavigateCommand(*program) *cobra.Command        { return elsewhere("navigate", errNoNavigation) }
func newExperimentCommand(*program) *cobra.Command      { return elsewhere("experiment", errNoSwarm) }
func newSimSpawn(*program) *cobra.Command               { return elsewhere("spawn", errNoSwarm) }
func newSimDelete(*program) *cobra.Command              { return elsewhere("delete", errNoSwarm) }
func newSimList(*program) *cobra.Command                { return elsewhere("list", errNoSwarm) }
func newCalibrateCameraCommand(*program) *cobra.Command { return elsewhere("camera", errNoBoards) }
func newEstimateCommand(*program) *cobra.Command        { return elsewhere("estimate", errNoEstimate) }

// elsewhere is a command that says where it is.
func elsewhere(name string, why error) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: "Not in this program, but in those for PCs", DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error { return why },
	}
}
