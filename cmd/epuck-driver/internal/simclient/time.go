// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simclient

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
)

// Commands returns the commands for a running simulation.
func Commands(p *frame.Program) []*cobra.Command {
	return []*cobra.Command{newList(p), newSpawn(p), newDelete(p), newState(p), newPause(p), newResume(p), newStep(p), newReset(p)}
}

// stateNames are the names of the states of a simulation.
var stateNames = map[uint8]string{
	si.SimulationStateStateStopped: "stopped", si.SimulationStateStatePlaying: "playing", si.SimulationStateStatePaused: "paused",
	si.SimulationStateStateQuitting: "quitting", si.SimulationStateStateNoWorld: "no world", si.SimulationStateStateLoadingWorld: "loading a world",
}

// newState returns the command that prints the state of a running simulation.
func newState(p *frame.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "state",
		Short:   "Print whether a running simulation plays or is paused",
		Long:    "Prints the state of a simulation that runs on this network: playing, paused, stopped or no world.",
		Example: "  epuck-driver sim state",
		Args:    frame.NoArguments,
	}
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		r, err := getState(cmd.Context(), p, *on)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.Out, cmp.Or(stateNames[r.State.State], fmt.Sprintf("state %d", r.State.State)))
		return err
	}
	return cmd
}

// newPause returns the command that pauses a running simulation.
func newPause(p *frame.Program) *cobra.Command {
	return newSetState(p, si.SimulationStateStatePaused, &cobra.Command{
		Use:     "pause",
		Short:   "Pause a running simulation",
		Long:    "Stops the time of a simulation that runs on this network, as the page's button does.",
		Example: "  epuck-driver sim pause",
	})
}

// newResume returns the command that resumes a paused simulation.
func newResume(p *frame.Program) *cobra.Command {
	return newSetState(p, si.SimulationStateStatePlaying, &cobra.Command{
		Use:     "resume",
		Short:   "Resume a paused simulation",
		Long:    "Starts the time of a paused simulation again.",
		Example: "  epuck-driver sim resume",
	})
}

// newSetState completes cmd, which sets the state of a running simulation.
func newSetState(p *frame.Program, state uint8, cmd *cobra.Command) *cobra.Command {
	cmd.Args = frame.NoArguments
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		r, err := call(cmd.Context(), p, *on, si.SetSimulationState{}, "set_simulation_state",
			&si.SetSimulationStateRequest{State: si.SimulationState{State: state}})
		if err == nil && r.Result.Result != si.SetSimulationStateResponseAlreadyInTargetState {
			err = refused(r.Result)
		}
		return err
	}
	return cmd
}

// newStep returns the command that advances a paused simulation.
func newStep(p *frame.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "step [N]",
		Short:   "Advance a paused simulation by N steps",
		Long:    "Advances a simulation that is paused by N steps of 10 ms, 1 without N, and returns when they are done.",
		Example: "  epuck-driver sim step\n  epuck-driver sim step 100",
		Args:    cobra.MaximumNArgs(1),
	}
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		steps := uint64(1)
		if len(args) == 1 {
			var err error
			if steps, err = strconv.ParseUint(args[0], 10, 64); err != nil || steps == 0 {
				return frame.Usagef("%q: must be a number of steps, 1 or more", args[0])
			}
		}
		if err := paused(cmd.Context(), p, *on); err != nil {
			return err
		}
		_, err := request(cmd.Context(), p, *on, si.StepSimulation{}, "step_simulation", &si.StepSimulationRequest{Steps: steps},
			func(r *si.StepSimulationResponse) si.Result { return r.Result })
		return err
	}
	return cmd
}

// getState returns the state of a running simulation.
func getState(ctx context.Context, p *frame.Program, on network.Choice) (*si.GetSimulationStateResponse, error) {
	return request(ctx, p, on, si.GetSimulationState{}, "get_simulation_state", &si.GetSimulationStateRequest{},
		func(r *si.GetSimulationStateResponse) si.Result { return r.Result })
}

// paused returns an error if the simulation is playing, as it can't be stepped then.
func paused(ctx context.Context, p *frame.Program, on network.Choice) error {
	r, err := getState(ctx, p, on)
	if err == nil && r.State.State == si.SimulationStateStatePlaying {
		err = fmt.Errorf("%w: the simulation is playing: pause it first, with \"epuck-driver sim pause\"", errSimulation)
	}
	return err
}

// newReset returns the command that resets a running simulation.
func newReset(p *frame.Program) *cobra.Command {
	scopes := map[string]uint8{
		"all": 0, "time": si.ResetSimulationRequestScopeTime, "state": si.ResetSimulationRequestScopeState,
		"spawned": si.ResetSimulationRequestScopeSpawned,
	}
	cmd := &cobra.Command{
		Use:   "reset [all|time|state|spawned]",
		Short: "Reset a running simulation",
		Long: "Resets a simulation that runs on this network: the state moves robots and objects back to where they began,\n" +
			"spawned removes what was added, time starts it again from 0, all (the default) does all of it.",
		Example:   "  epuck-driver sim reset\n  epuck-driver sim reset state",
		ValidArgs: []string{"all", "time", "state", "spawned"},
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
	}
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		scope := "all"
		if len(args) == 1 {
			scope = args[0]
		}
		return reset(cmd.Context(), p, *on, scopes[scope])
	}
	return cmd
}

// reset requests the reset of a scope, which may be a sum of scopes.
func reset(ctx context.Context, p *frame.Program, on network.Choice, scope uint8) error {
	_, err := request(ctx, p, on, si.ResetSimulation{}, "reset_simulation", &si.ResetSimulationRequest{Scope: scope},
		func(r *si.ResetSimulationResponse) si.Result { return r.Result })
	return err
}
