// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// call asks a service of the host once.
func call[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](t *testing.T, n *ros2.Node, typ ros2.ServiceType[Req, Res], name string, q *Req) *Res {
	t.Helper()
	c, err := ros2.NewClient[Req, Res, PReq, PRes](n, typ, strings.Replace(name, "~", "/watcher", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	r, err := c.Call(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// put asks for a place of a robot and returns what became of it.
func (h *hosted) put(name string, x, y, yaw float64) si.Result {
	h.t.Helper()
	q := &si.SetEntityStateRequest{Entity: name}
	q.State.Pose.Position.X, q.State.Pose.Position.Y = x, y
	q.State.Pose.Orientation.Z, q.State.Pose.Orientation.W = math.Sin(yaw/2), math.Cos(yaw/2)
	return call(h.t, h.node, si.SetEntityState{}, fleet.ServicePut, q).Result
}

func (h *hosted) where(name string) *si.GetEntityStateResponse {
	h.t.Helper()
	return call(h.t, h.node, si.GetEntityState{}, fleet.ServiceWhere, &si.GetEntityStateRequest{Entity: name})
}

// TestPutElsewhere: robots of both levels are moved and found there; an occupied place is refused.
func TestPutElsewhere(t *testing.T) {
	h := newHosted(t)
	members := h.sim.Robots()
	for i, m := range members[:2] {
		x, y := 0.3, 0.3*float64(1-2*i)
		if r := h.put(m.Name(), x, y, 1); r.Result != si.ResultOK {
			t.Fatal(m.Name(), r)
		}
		s := h.where("/" + m.Name())
		p, q := s.State.Pose.Position, s.State.Pose.Orientation
		if s.Result.Result != si.ResultOK || p.X != x || p.Y != y || math.Abs(2*math.Atan2(q.Z, q.W)-1) > 1e-9 || s.State.Header.FrameID != "world" {
			t.Errorf("%s: %+v", m.Name(), s)
		}
		if pose := m.GroundTruth().Pose; pose.X != x || pose.Y != y {
			t.Error(m.Name(), pose)
		}
	}
	if r := h.put(members[0].Name(), 0.3, -0.3, 0); r.Result != si.SetEntityStateResponseInvalidPose || r.ErrorMessage == "" {
		t.Error("onto another:", r)
	}
	if r := h.put(members[0].Name(), math.NaN(), 0, 0); r.Result != si.SetEntityStateResponseInvalidPose {
		t.Error("nowhere:", r)
	}
	if r := h.put("absent", 0, 0, 0); r.Result != si.ResultNotFound {
		t.Error(r)
	}
	if r := h.where("absent"); r.Result.Result != si.ResultNotFound {
		t.Error(r)
	}
	if p := members[0].GroundTruth().Pose; p.X != 0.3 || p.Y != 0.3 {
		t.Error("it did not stay:", p)
	}
}

// TestReset: robots that were added later are removed, and all others are at their initial poses, also where another
// was in the place.
func TestReset(t *testing.T) {
	h := newHosted(t)
	members := h.sim.Robots()
	var home []sim.Pose
	for _, m := range members {
		home = append(home, m.GroundTruth().Pose)
	}
	if r := h.ask(si.SpawnEntityRequest{Name: "late", Uri: world.LevelFunctional, InitialPose: at(0.3, 0.3)}); r.Result.Result != si.ResultOK {
		t.Fatal(r)
	}
	for i, to := range [][2]float64{{0.3, -0.3}, {home[0].X, home[0].Y}} { // the second takes the first one's place
		if r := h.put(members[i].Name(), to[0], to[1], 0); r.Result != si.ResultOK {
			t.Fatal(r)
		}
	}
	reset := func(scope uint8) si.Result {
		return call(t, h.node, si.ResetSimulation{}, fleet.ServiceReset, &si.ResetSimulationRequest{Scope: scope}).Result
	}
	for _, scope := range []uint8{0, 1, 7, 255} { // no Restart
		if r := reset(scope); r.Result != si.ResultFeatureUnsupported || r.ErrorMessage == "" {
			t.Errorf("scope %d: %+v", scope, r)
		}
	}
	if r := reset(si.ResetSimulationRequestScopeState | si.ResetSimulationRequestScopeSpawned); r.Result != si.ResultOK {
		t.Fatal(r)
	}
	if slices.Contains(h.names(si.EntityFilters{}), "late") {
		t.Error("late is still there")
	}
	for i, m := range members {
		if p := m.GroundTruth().Pose; p != home[i] {
			t.Errorf("%s is at %v, not at %v", m.Name(), p, home[i])
		}
	}
	kinds := call(t, h.node, si.GetSpawnables{}, fleet.ServiceSpawnables, &si.GetSpawnablesRequest{}).Spawnables
	for i, level := range world.JoiningLevels() {
		if len(kinds) != len(world.JoiningLevels())+4 || kinds[i].Uri != level || kinds[i].Description == "" {
			t.Errorf("%+v", kinds)
		}
	}
}

// timed is a host with a clock that runs, of a world that takes no time.
func timed(t *testing.T) (*hosted, *simclock.Clock) {
	t.Helper()
	w, err := sim.LoadWorld("swarm")
	if err != nil {
		t.Fatal(err)
	}
	h := &hosted{rig: newRigOf(t, w, sim.Options{Seed: 1}, fleet.Config{})}
	clock, err := simclock.New(simclock.Config{Epoch: time.Unix(0, 0), Factor: 1})
	if err != nil {
		t.Fatal(err)
	}
	host, err := fleet.NewHost(fleet.HostConfig{Node: h.node, Simulation: h.sim, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := clock.Run(ctx, func() error { return nil }); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	})
	return h, clock
}

// TestPauseAndContinue: pause, steps, on again at the speed from before; the speed is a parameter, too.
func TestPauseAndContinue(t *testing.T) {
	h, clock := timed(t)
	set := func(state uint8) uint8 {
		q := &si.SetSimulationStateRequest{State: si.SimulationState{State: state}}
		return call(t, h.node, si.SetSimulationState{}, fleet.ServiceSetState, q).Result.Result
	}
	step := func(n uint64) si.Result {
		return call(t, h.node, si.StepSimulation{}, fleet.ServiceStep, &si.StepSimulationRequest{Steps: n}).Result
	}
	state := func() uint8 {
		return call(t, h.node, si.GetSimulationState{}, fleet.ServiceState, &si.GetSimulationStateRequest{}).State.State
	}
	speed := func(v float64) error {
		return h.node.Parameters().SetAtomically(ros2.Parameter{Name: fleet.ParamRealTimeFactor, Value: ros2.DoubleValue(v)})
	}
	if err := speed(3); err != nil || clock.Factor() != 3 {
		t.Error(err, clock.Factor())
	}
	if err := speed(-1); err == nil || clock.Factor() != 3 {
		t.Error(err, clock.Factor())
	}
	if r := step(1); r.Result != si.ResultOperationFailed || state() != si.SimulationStateStatePlaying {
		t.Error("a step while time is not paused:", r)
	}
	if r := set(si.SimulationStateStatePaused); r != si.ResultOK || state() != si.SimulationStateStatePaused {
		t.Error(r)
	}
	if r := set(si.SimulationStateStatePaused); r != si.SetSimulationStateResponseAlreadyInTargetState {
		t.Error(r)
	}
	before := clock.Now()
	if r := step(7); r.Result != si.ResultOK || clock.Now().Sub(before) != 7*simclock.StepPeriod {
		t.Error(r, clock.Now().Sub(before))
	}
	if r := step(1 << 60); r.Result != si.ResultOperationFailed {
		t.Error(r)
	}
	if r := set(si.SimulationStateStateStopped); r != si.ResultFeatureUnsupported {
		t.Error(r)
	}
	if r := set(si.SimulationStateStatePlaying); r != si.ResultOK || clock.Factor() != 3 || state() != si.SimulationStateStatePlaying {
		t.Error(r, clock.Factor())
	}
	clock.Sleep(simclock.StepPeriod) // it comes to an end
}

// The former name of the real-time factor's parameter is accepted until the next release.
func TestFormerNameOfTheRealTimeFactor(t *testing.T) {
	h, clock := timed(t)
	if err := h.node.Parameters().SetAtomically(ros2.Parameter{Name: "speed", Value: ros2.DoubleValue(3)}); err != nil || clock.Factor() != 3 {
		t.Errorf("factor %g, want 3: %v", clock.Factor(), err)
	}
}
