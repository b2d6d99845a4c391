// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces/rolling"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/sim"
)

const (
	// maxSteps is the maximum number of steps of one call of step_simulation.
	maxSteps = 100_000
	// paramRealTimeFactor is the parameter of the simulation's node for the real-time factor.
	paramRealTimeFactor = "real_time_factor"
	// formerParam is its deprecated name, which is removed in the next release.
	formerParam = "speed"
	maxSpeed    = 1000.0
)

// resettable are the scopes that reset_simulation can reset without a restart.
const resettable = si.ResetSimulationRequestScopeState | si.ResetSimulationRequestScopeSpawned

// offerEntities creates the services that query and move entities.
func (h *Host) offerEntities() error {
	err := errors.Join(
		offer(h, si.GetEntities{}, serviceList, h.list,
			si.SimulatorFeaturesEntityTags, si.SimulatorFeaturesEntityBoundsBox, si.SimulatorFeaturesEntityCategories),
		offer(h, si.GetEntitiesStates{}, serviceStates, h.states),
		offer(h, si.GetEntityState{}, serviceWhere, h.where, si.SimulatorFeaturesEntityStateGetting),
		offer(h, si.GetEntityInfo{}, serviceInfo, h.info, si.SimulatorFeaturesEntityInfoGetting),
		offer(h, si.SetEntityInfo{}, serviceSetInfo, h.setInfo, si.SimulatorFeaturesEntityInfoSetting),
		offer(h, si.GetEntityBounds{}, serviceBounds, h.bounds, si.SimulatorFeaturesEntityBounds),
		offer(h, si.GetNamedPoses{}, servicePoses, h.namedPoses, si.SimulatorFeaturesNamedPoses),
		offer(h, si.GetNamedPoseBounds{}, servicePoseBounds, h.namedPoseBounds, si.SimulatorFeaturesPoseBounds),
		offer(h, si.GetCurrentWorld{}, serviceWorld, h.currentWorld, si.SimulatorFeaturesWorldInfoGetting),
		offer(h, si.GetSimulationState{}, serviceState, h.state, si.SimulatorFeaturesSimulationStateGetting),
		offer(h, si.ResetSimulation{}, serviceReset, h.reset,
			si.SimulatorFeaturesSimulationReset, si.SimulatorFeaturesSimulationResetState, si.SimulatorFeaturesSimulationResetSpawned))
	if h.Version == 2 {
		return errors.Join(err, offer(h, rolling.SetEntityState{}, servicePut, h.putRolling, si.SimulatorFeaturesEntityStateSetting))
	}
	return errors.Join(err, offer(h, si.SetEntityState{}, servicePut, h.put, si.SimulatorFeaturesEntityStateSetting))
}

// offerTime creates the services that control time.
func (h *Host) offerTime() error {
	return errors.Join(
		offerSteps(h),
		offer(h, si.SetSimulationState{}, serviceSetState, h.setState,
			si.SimulatorFeaturesSimulationStateSetting, si.SimulatorFeaturesSimulationStatePause),
		offer(h, si.StepSimulation{}, serviceStep, h.step,
			si.SimulatorFeaturesStepSimulationSingle, si.SimulatorFeaturesStepSimulationMultiple),
		h.offerRealTimeFactor())
}

// offerSteps creates the action that advances a paused simulation by steps.
func offerSteps(h *Host) error {
	steps, err := action.NewServer(h.Node, si.SimulateSteps{}, actionSteps, action.Config[si.SimulateStepsGoal, si.SimulateStepsResult, si.SimulateStepsFeedback]{
		Execute: h.simulate, Overlap: action.Queue,
	})
	if err != nil {
		return unlessMissing(h, actionSteps, err)
	}
	h.closers = append(h.closers, steps.Close)
	h.features = append(h.features, si.SimulatorFeaturesStepSimulationAction)
	return nil
}

// getFeatures returns the supported features.
func (h *Host) getFeatures(context.Context, *si.GetSimulatorFeaturesRequest) (*si.GetSimulatorFeaturesResponse, error) {
	r := &si.GetSimulatorFeaturesResponse{}
	for _, f := range h.features {
		r.Features.Features = append(r.Features.Features, uint16(f))
	}
	slices.Sort(r.Features.Features)
	r.Features.CustomInfo = h.customInfo()
	if h.Fleet != nil {
		r.Features.SpawnFormats = []string{"epuck-driver world with one robot (YAML)", "URDF", "SDF", "PROTO"}
	}
	return r, nil
}

// customInfo returns a description of this simulation and its limitations for users.
func (h *Host) customInfo() string {
	text := "epuck-driver: a flat world."
	if h.Clock == nil {
		text += " " + cmp.Or(h.Held, "Time can't be stopped.")
	} else {
		text += " Steps are of 10 ms."
	}
	if h.Restart != nil {
		text += " Resetting time, or loading a world, restarts all nodes of the simulation within seconds."
	}
	if h.Fleet == nil {
		text += " It is for one robot: people and things can be added, robots can't (sim --robots 2)."
	}
	return text
}

func (h *Host) currentWorld(context.Context, *si.GetCurrentWorldRequest) (*si.GetCurrentWorldResponse, error) {
	r := &si.GetCurrentWorldResponse{Result: outcome(nil)}
	if h.Unloaded {
		r.Result = refuse(si.GetCurrentWorldResponseNoWorldLoaded, "no world is loaded").result()
	}
	r.World.Name, r.World.WorldResource.Uri = h.World, h.World
	return r, nil
}

func (h *Host) put(_ context.Context, q *si.SetEntityStateRequest) (*si.SetEntityStateResponse, error) {
	return &si.SetEntityStateResponse{Result: h.setEntityState(q.Entity, &q.State, true, q.State.Twist != geometry_msgs.Twist{}).result()}, nil
}

func (h *Host) putRolling(_ context.Context, q *rolling.SetEntityStateRequest) (*rolling.SetEntityStateResponse, error) {
	return &rolling.SetEntityStateResponse{Result: h.setEntityState(q.Entity, &q.State, q.SetPose, q.SetTwist).result()}, nil
}

// setEntityState moves an entity. Velocities result from wheels and legs and can't be set; accelerations may be
// ignored by the standard.
func (h *Host) setEntityState(name string, s *si.EntityState, pose, twist bool) *refusal {
	h.mu.Lock()
	defer h.mu.Unlock()
	e, ok := h.entity(name)
	switch {
	case !ok:
		return refuse(si.ResultNotFound, "there is no entity %q", name)
	case twist && e.robot == nil && !e.isPerson && !e.movable:
		return refuse(si.ResultOperationFailed, "%q does not move", name)
	case twist:
		return refuse(si.ResultFeatureUnsupported, "the velocity of %q can't be set", name)
	case !pose:
		return nil
	}
	to, refused := planarPose(&geometry_msgs.PoseStamped{Header: s.Header, Pose: s.Pose})
	if refused != nil {
		return refuse(si.SetEntityStateResponseInvalidPose, "%s", refused.text)
	}
	var err error
	switch {
	case e.robot != nil:
		err = e.robot.Place(to)
	case e.isPerson:
		err = h.Simulation.Guide(e.name, func(p *sim.Person) { p.Pose = to })
	default:
		err = h.Simulation.Move(e.name, to)
	}
	switch {
	case errors.Is(err, sim.ErrNoThing):
		return refuse(si.ResultOperationFailed, "%q has no name in the world file and can't be moved", e.name)
	case err != nil:
		return refuse(si.SetEntityStateResponseInvalidPose, "%v", err)
	}
	return nil
}

func (h *Host) state(context.Context, *si.GetSimulationStateRequest) (*si.GetSimulationStateResponse, error) {
	r := &si.GetSimulationStateResponse{Result: outcome(nil)}
	switch {
	case h.Unloaded:
		r.State.State = si.SimulationStateStateNoWorld
	case h.Clock != nil && h.Clock.Factor() == 0:
		r.State.State = si.SimulationStateStatePaused
	default:
		r.State.State = si.SimulationStateStatePlaying
	}
	return r, nil
}

func (h *Host) setState(_ context.Context, q *si.SetSimulationStateRequest) (*si.SetSimulationStateResponse, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	answer := func(code uint8, text string) (*si.SetSimulationStateResponse, error) {
		return &si.SetSimulationStateResponse{Result: si.Result{Result: code, ErrorMessage: text}}, nil
	}
	now := h.Clock.Factor()
	speed := h.speed
	switch q.State.State {
	case si.SimulationStateStatePaused:
		if now != 0 {
			h.speed = now
		}
		speed = 0
	case si.SimulationStateStatePlaying:
		if now != 0 {
			speed = now
		}
	default:
		return answer(si.ResultFeatureUnsupported, fmt.Sprintf("state %d: only playing (1) and paused (2) are supported", q.State.State))
	}
	if speed == now {
		return answer(si.SetSimulationStateResponseAlreadyInTargetState, "the simulation already has this state")
	}
	if err := h.Clock.SetFactor(speed); err != nil {
		return answer(si.SetSimulationStateResponseStateTransitionError, err.Error())
	}
	return answer(si.ResultOK, "")
}

func (h *Host) step(ctx context.Context, q *si.StepSimulationRequest) (*si.StepSimulationResponse, error) {
	if q.Steps > maxSteps {
		return &si.StepSimulationResponse{Result: outcome(fmt.Errorf("%d steps, at most %d", q.Steps, maxSteps))}, nil
	}
	return &si.StepSimulationResponse{Result: outcome(h.Clock.Step(ctx, time.Duration(q.Steps)*simclock.StepPeriod))}, nil
}

// simulate executes the action: step by step, with feedback for each.
func (h *Host) simulate(ctx context.Context, g *action.Goal[si.SimulateStepsGoal, si.SimulateStepsFeedback]) (*si.SimulateStepsResult, error) {
	for done := uint64(1); done <= g.Goal.Steps; done++ {
		err := h.Clock.Step(ctx, simclock.StepPeriod)
		if err == nil {
			err = g.Feedback(&si.SimulateStepsFeedback{CompletedSteps: done, RemainingSteps: g.Goal.Steps - done})
		}
		if err != nil {
			return &si.SimulateStepsResult{Result: outcome(err)}, err
		}
	}
	return &si.SimulateStepsResult{Result: outcome(nil)}, nil
}

func (h *Host) reset(_ context.Context, q *si.ResetSimulationRequest) (*si.ResetSimulationResponse, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.Restart != nil && (q.Scope == si.ResetSimulationRequestScopeDefault || q.Scope&si.ResetSimulationRequestScopeTime != 0) {
		// A reset of time requires a restart of all nodes.
		return &si.ResetSimulationResponse{Result: outcome(h.Restart(WorldSource{}))}, nil
	}
	if q.Scope == 0 || q.Scope&^resettable != 0 {
		text := fmt.Sprintf("scope %d: only state (2) and spawned (4) can be reset", q.Scope)
		return &si.ResetSimulationResponse{Result: si.Result{Result: si.ResultFeatureUnsupported, ErrorMessage: text}}, nil
	}
	var errs []error
	if q.Scope&si.ResetSimulationRequestScopeSpawned != 0 && h.Fleet != nil {
		for _, r := range h.Simulation.Robots() {
			if _, first := h.initialPoses[r.Name()]; !first {
				errs = append(errs, h.removeRobot(r.Name()))
			}
		}
	}
	if q.Scope&si.ResetSimulationRequestScopeSpawned != 0 {
		for _, p := range h.Simulation.Persons() { // a world file has none
			errs = append(errs, h.removePerson(p.Name))
		}
		for _, t := range h.Simulation.Things() {
			if t.Added {
				h.describe(t.Name, nil)
				errs = append(errs, h.Simulation.Take(t.Name))
			}
		}
	}
	if q.Scope&si.ResetSimulationRequestScopeState != 0 {
		errs = append(errs, h.resetPoses())
	}
	return &si.ResetSimulationResponse{Result: outcome(errors.Join(errs...))}, nil
}

// resetPoses moves all robots to their initial poses; a robot whose initial pose is occupied is tried again after
// others have moved.
func (h *Host) resetPoses() error {
	away := h.Simulation.Robots()
	for {
		var left []sim.Robot
		var errs []error
		for _, m := range away {
			pose, first := h.initialPoses[m.Name()]
			if !first {
				continue
			}
			if err := m.Place(pose); err != nil {
				left, errs = append(left, m), append(errs, err)
			}
		}
		if len(left) == 0 || len(left) == len(away) {
			return errors.Join(errs...)
		}
		away = left
	}
}

// offerRealTimeFactor declares the real-time factor as a parameter.
func (h *Host) offerRealTimeFactor() error {
	p := h.Node.Parameters()
	now := min(h.Clock.Factor(), maxSpeed) // as fast as possible is +Inf, which a parameter can't be
	for _, d := range [][2]string{
		{paramRealTimeFactor, "Simulated seconds per second; 0 pauses."},
		{formerParam, "Deprecated, removed in the next release: set " + paramRealTimeFactor + "."},
	} {
		_, err := p.Declare(ros2.ParameterDescriptor{
			Name: d[0], Default: ros2.DoubleValue(now), FloatRange: &ros2.FloatRange{From: 0, To: maxSpeed}, Description: d[1],
		})
		if err != nil {
			return err
		}
		h.closers = append(h.closers, func() error { return p.Undeclare(d[0]) })
	}
	cancel := p.OnSet(func(set []ros2.Parameter) error {
		for _, s := range set {
			if s.Name == paramRealTimeFactor || s.Name == formerParam {
				return h.Clock.SetFactor(s.Value.Double())
			}
		}
		return nil
	})
	h.closers = append(h.closers, func() error { cancel(); return nil })
	return nil
}
