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
	errNoRobots = errors.New("this program, for ARMv6, is for the e-puck2 alone: robots is in the programs for PCs (amd64, arm64)")
	errNoModels = errors.New("this program, for ARMv6, simulates the e-puck2 alone: --robot is in the programs for PCs (amd64, arm64)")
	errNoBoards = errors.New("this program, for ARMv6, does not compute lenses: calibrate camera is in the programs for PCs " +
		"(amd64, arm64) and works from any machine of the robot's network")
)

// controllerOptions are the flags of sim that only say that they are elsewhere.
type controllerOptions struct{ name string }

func (o *controllerOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.name, "controller", "", "`NAME` of a controller; not in this program")
}

func (o *controllerOptions) check(time.Duration, bool) error {
	if o.name != "" {
		return errNoSwarm
	}
	return nil
}

// modelOptions are the flags of sim for robots of other kinds, which are elsewhere.
type modelOptions struct{ name string }

func (o *modelOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.name, "robot", "", "`NAME` of a robot of another kind; not in this program")
}

// guests makes no robots of other kinds here.
func (*modelOptions) guests() sim.GuestMaker { return nil }

func (o *modelOptions) replace(*sim.World) error {
	if o.name != "" {
		return errNoModels
	}
	return nil
}

func (o *simOptions) controlled(context.Context, streams, *sim.World) error { return errNoSwarm }

func (o *simOptions) fleets(context.Context, streams, *sim.World) error { return errNoSwarm }

// aloneTime is the time of a world of one robot: here the machine's, which can't be stopped.
type aloneTime struct{ world *sim.Simulation }

func newAloneTime(w *sim.World, seed uint64) (*aloneTime, error) {
	s, err := realTime(w, seed)
	return &aloneTime{s}, err
}

func (*aloneTime) clock() ros2.Clock { return nil }

func (*aloneTime) pass(context.Context) (end func()) { return func() {} }

// hostAlone offers nothing: what moves robots about is with the swarms.
func (o *simOptions) hostAlone(*ros2.Node, *sim.Simulation, *aloneTime) (stop func() error, err error) {
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
func newRobotsCommand(*program) *cobra.Command          { return elsewhere("robots", errNoRobots) }

// elsewhere is a command that says where it is.
func elsewhere(name string, why error) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: "Not in this program, but in those for PCs", DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error { return why },
	}
}

// worldChange is nothing: the robot's program runs no world.
type worldChange struct{}

func (worldChange) worldFlags(*pflag.FlagSet) {}
