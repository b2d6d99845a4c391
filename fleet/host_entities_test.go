// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces/batch"
	"github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces/rolling"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// reset asks for a scope.
func (h *hosted) reset(scope uint8) si.Result {
	h.t.Helper()
	return call(h.t, h.node, si.ResetSimulation{}, fleet.ServiceReset, &si.ResetSimulationRequest{Scope: scope}).Result
}

// features returns what the host says that it can do.
func (h *hosted) features() []uint16 {
	h.t.Helper()
	f := call(h.t, h.node, si.GetSimulatorFeatures{}, fleet.ServiceFeatures, &si.GetSimulatorFeaturesRequest{}).Features
	if f.CustomInfo == "" {
		h.t.Error("no information")
	}
	return f.Features
}

// worldly is how each feature without time is used; the result says whether it works.
func worldly(h *hosted) map[uint8]func() si.Result {
	const robot = "epuck1"
	listed := func(f si.EntityFilters, want int) si.Result {
		if n := len(h.names(f)); n != want {
			h.t.Errorf("%+v: %d entities, want %d", f, n, want)
		}
		return si.Result{Result: si.ResultOK}
	}
	return map[uint8]func() si.Result{
		si.SimulatorFeaturesSpawning: func() si.Result {
			return h.ask(si.SpawnEntityRequest{Name: "extra", Uri: "functional", InitialPose: at(0.3, 0.3)}).Result
		},
		si.SimulatorFeaturesSpawningResourceString: func() si.Result {
			r := h.ask(si.SpawnEntityRequest{ResourceString: "robots: [{name: text, level: functional}]", InitialPose: at(0.3, -0.3)})
			if r.EntityName != "text" {
				h.t.Error("the description's name:", r.EntityName)
			}
			return r.Result
		},
		si.SimulatorFeaturesSpawningEntities: func() si.Result {
			one := batch.SpawnEntity{Name: "many", EntityResource: si.Resource{Uri: "cylinder"}, InitialPose: at(-0.3, 0.3)}
			q := &batch.SpawnEntitiesRequest{SpawnRequests: []batch.SpawnEntity{one, one}}
			r := call(h.t, h.node, batch.SpawnEntities{}, fleet.ServiceSpawnMany, q)
			if r.Result.Result != batch.SpawnEntitiesResponseEntitiesSpawnFailed || len(r.Results) != 2 ||
				r.Results[1].Result.Result != batch.SpawnResultNameNotUnique {
				h.t.Errorf("%+v", r)
			}
			return r.Results[0].Result
		},
		si.SimulatorFeaturesDeleting: func() si.Result {
			return call(h.t, h.node, si.DeleteEntity{}, fleet.ServiceDelete, &si.DeleteEntityRequest{Entity: "extra"}).Result
		},
		si.SimulatorFeaturesEntityTags: func() si.Result {
			both := []string{"functional", "firmware"}
			listed(si.EntityFilters{Tags: si.TagsFilter{Tags: both, FilterMode: si.TagsFilterFilterModeAll}}, 0)
			return listed(si.EntityFilters{Tags: si.TagsFilter{Tags: both}}, len(h.sim.Robots()))
		},
		si.SimulatorFeaturesEntityCategories: func() si.Result { return listed(robots(), len(h.sim.Robots())) },
		si.SimulatorFeaturesEntityBoundsBox: func() si.Result {
			p := h.where(robot).State.Pose.Position
			upper, lower := geometry_msgs.Vector3{X: p.X + 0.5, Y: p.Y + 0.01, Z: 1}, geometry_msgs.Vector3{X: p.X + 0.03, Y: p.Y - 0.01}
			f := si.EntityFilters{Filter: robot, Bounds: si.Bounds{Type: si.BoundsTypeBox, Points: []geometry_msgs.Vector3{upper, lower}}}
			listed(f, 1)
			f.Bounds.Points[1].X = p.X + 0.04 // beyond its rim
			return listed(f, 0)
		},
		si.SimulatorFeaturesEntityBounds: func() si.Result {
			r := call(h.t, h.node, si.GetEntityBounds{}, fleet.ServiceBounds, &si.GetEntityBoundsRequest{Entity: robot})
			if p := r.Bounds.Points; r.Bounds.Type != si.BoundsTypeBox || len(p) != 2 || p[0].X != physics.BodyRadius || p[1].Z != 0 {
				h.t.Errorf("%+v", r)
			}
			return r.Result
		},
		si.SimulatorFeaturesEntityStateGetting: func() si.Result {
			all := call(h.t, h.node, si.GetEntitiesStates{}, fleet.ServiceStates, &si.GetEntitiesStatesRequest{Filters: robots()})
			if len(all.States) != len(h.sim.Robots()) || all.States[0].Pose != h.where(all.Entities[0]).State.Pose {
				h.t.Errorf("%+v", all)
			}
			return h.where(robot).Result
		},
		si.SimulatorFeaturesEntityStateSetting: func() si.Result { return h.put(robot, -0.3, -0.3, 0) },
		si.SimulatorFeaturesEntityInfoSetting: func() si.Result {
			q := &si.SetEntityInfoRequest{Entity: robot, Info: si.EntityInfo{Description: "mine", Tags: []string{"functional"}}}
			q.Info.Category.Category = si.EntityCategoryCategoryRobot
			return call(h.t, h.node, si.SetEntityInfo{}, fleet.ServiceSetInfo, q).Result
		},
		si.SimulatorFeaturesEntityInfoGetting: func() si.Result {
			return call(h.t, h.node, si.GetEntityInfo{}, fleet.ServiceInfo, &si.GetEntityInfoRequest{Entity: robot}).Result
		},
		si.SimulatorFeaturesSpawnables: func() si.Result {
			r := call(h.t, h.node, si.GetSpawnables{}, fleet.ServiceSpawnables, &si.GetSpawnablesRequest{Sources: []string{"shop"}})
			if r.Result.ErrorMessage == "" || len(r.Spawnables) != len(world.JoiningLevels())+4 {
				h.t.Errorf("%+v", r)
			}
			return r.Result
		},
		si.SimulatorFeaturesNamedPoses: func() si.Result {
			r := call(h.t, h.node, si.GetNamedPoses{}, fleet.ServicePoses, &si.GetNamedPosesRequest{})
			if len(r.Poses) != 3 || r.Poses[0].Name != "home_epuck1" {
				h.t.Errorf("%+v", r)
			}
			return r.Result
		},
		si.SimulatorFeaturesPoseBounds: func() si.Result {
			return call(h.t, h.node, si.GetNamedPoseBounds{}, fleet.ServicePoseBounds, &si.GetNamedPoseBoundsRequest{Name: "home_epuck1"}).Result
		},
		si.SimulatorFeaturesWorldInfoGetting: func() si.Result {
			r := call(h.t, h.node, si.GetCurrentWorld{}, fleet.ServiceWorld, &si.GetCurrentWorldRequest{})
			if r.World.Name != "swarm" {
				h.t.Errorf("%+v", r)
			}
			return r.Result
		},
		si.SimulatorFeaturesSimulationStateGetting: func() si.Result {
			return call(h.t, h.node, si.GetSimulationState{}, fleet.ServiceState, &si.GetSimulationStateRequest{}).Result
		},
		si.SimulatorFeaturesSimulationReset:        func() si.Result { return h.reset(6) },
		si.SimulatorFeaturesSimulationResetState:   func() si.Result { return h.reset(2) },
		si.SimulatorFeaturesSimulationResetSpawned: func() si.Result { return h.reset(4) },
	}
}

// TestFeaturesAreTrue: what the host says that it can do works, and nothing else does.
func TestFeaturesAreTrue(t *testing.T) {
	h := newHosted(t)
	ways := worldly(h)
	said := h.features()
	for _, f := range said {
		way := ways[uint8(f)]
		if way == nil {
			t.Errorf("feature %d is said, and there is no way to use it", f)
			continue
		}
		if r := way(); r.Result != si.ResultOK {
			t.Errorf("feature %d: %+v", f, r)
		}
		delete(ways, uint8(f))
	}
	for f := range ways {
		t.Errorf("feature %d is there and not said", f)
	}
	for _, r := range []si.Result{h.reset(1), h.reset(0), h.listWithin(si.BoundsTypeConvexHull)} { // 21, 7
		if r.Result != si.ResultFeatureUnsupported || r.ErrorMessage == "" {
			t.Errorf("%+v", r)
		}
	}
	for _, e := range h.node.Graph().Endpoints { // without a clock, and never
		if strings.Contains(e.Topic, "/watcher/step_simulation") || strings.Contains(e.Topic, "/watcher/load_world") {
			t.Error(e.Topic, "is there")
		}
	}
}

// listWithin asks for a type of bounds.
func (h *hosted) listWithin(bounds uint8) si.Result {
	h.t.Helper()
	q := &si.GetEntitiesRequest{Filters: si.EntityFilters{Bounds: si.Bounds{Type: bounds, Points: make([]geometry_msgs.Vector3, 3)}}}
	return call(h.t, h.node, si.GetEntities{}, fleet.ServiceList, q).Result
}

// TestVersion2: the services whose types are others in version 2 of the standard.
func TestVersion2(t *testing.T) {
	h := newHostedOf(t, 2)
	q := &rolling.SpawnEntityRequest{Name: "late", EntityResource: si.Resource{Uri: "person"}, InitialPose: at(0.3, 0.3)}
	if r := call(t, h.node, rolling.SpawnEntity{}, fleet.ServiceSpawn, q); r.Result.Result != si.ResultOK || r.EntityName != "late" {
		t.Fatalf("%+v", r)
	}
	kinds := call(t, h.node, rolling.GetSpawnables{}, fleet.ServiceSpawnables, &rolling.GetSpawnablesRequest{}).Spawnables
	if len(kinds) != len(world.JoiningLevels())+4 || kinds[0].EntityResource.Uri != world.LevelFirmware {
		t.Errorf("%+v", kinds)
	}
	put := func(q rolling.SetEntityStateRequest) uint8 {
		q.Entity, q.State.Pose.Position.X, q.State.Pose.Position.Y = "late", 0.28, 0.3
		return call(t, h.node, rolling.SetEntityState{}, fleet.ServicePut, &q).Result.Result
	}
	if r := put(rolling.SetEntityStateRequest{SetAcceleration: true}); r != si.ResultOK || h.where("late").State.Pose.Position.X != 0.3 {
		t.Error("nothing to set:", r)
	}
	if r := put(rolling.SetEntityStateRequest{SetPose: true, SetTwist: true}); r != si.ResultFeatureUnsupported || h.where("late").State.Pose.Position.X != 0.3 {
		t.Error("a speed:", r)
	}
	if r := put(rolling.SetEntityStateRequest{SetPose: true}); r != si.ResultOK || h.where("late").State.Pose.Position.X != 0.28 {
		t.Error("a pose:", r)
	}
	if !slices.Contains(h.features(), uint16(si.SimulatorFeaturesSpawning)) {
		t.Error("features")
	}
}

// TestThings: things of the world are listed, found by bounds, and stay; what came later goes.
func TestThings(t *testing.T) {
	h := newHosted(t)
	things := h.names(si.EntityFilters{Categories: []si.EntityCategory{{Category: si.EntityCategoryCategoryStaticObject}}})
	if len(things) != len(h.sim.Things())-1 { // less the arena
		t.Fatal(things)
	}
	for _, name := range things {
		p := h.where(name).State.Pose.Position
		middle := geometry_msgs.Vector3{X: p.X, Y: p.Y, Z: 0.01}
		if found := h.names(si.EntityFilters{Bounds: si.Bounds{Type: si.BoundsTypeSphere, Points: []geometry_msgs.Vector3{middle, {X: 0.001}}}}); !slices.Equal(found, []string{name}) {
			t.Errorf("at %s: %q", name, found)
		}
		q := &si.SetEntityStateRequest{Entity: name}
		q.State.Twist.Linear.X = 1
		if r := call(t, h.node, si.SetEntityState{}, fleet.ServicePut, q).Result; r.Result != si.ResultOperationFailed {
			t.Errorf("%s moves: %+v", name, r)
		}
		if r := call(t, h.node, si.DeleteEntity{}, fleet.ServiceDelete, &si.DeleteEntityRequest{Entity: name}).Result; r.Result != si.ResultOperationFailed {
			t.Errorf("%s goes: %+v", name, r)
		}
	}
	if r := h.ask(si.SpawnEntityRequest{Uri: "cylinder", AllowRenaming: true, InitialPose: at(0.3, 0.3)}); r.EntityName != "cylinder" {
		t.Errorf("%+v", r)
	}
	if r := h.ask(si.SpawnEntityRequest{Uri: "person", Name: "p", InitialPose: at(0.3, 0.3)}).Result; r.Result != si.SpawnEntityResponseInvalidPose {
		t.Errorf("onto another: %+v", r)
	}
	if r := h.ask(si.SpawnEntityRequest{Uri: "puck", AllowRenaming: true, InitialPose: at(-0.3, 0.35)}); r.EntityName != "puck" {
		t.Errorf("%+v", r)
	}
	delete := &si.DeleteEntityRequest{Entity: "puck"}
	if r := call(t, h.node, si.DeleteEntity{}, fleet.ServiceDelete, delete).Result; r.Result != si.ResultOK {
		t.Errorf("%+v", r)
	}
	if r := h.reset(4); r.Result != si.ResultOK || slices.Contains(h.names(si.EntityFilters{}), "cylinder") {
		t.Errorf("%+v", r)
	}
}

// TestSimulateSteps: the action advances step by step while time is paused, reports each, and ends early on request.
func TestSimulateSteps(t *testing.T) {
	h, clock := timed(t)
	client, err := action.NewClient(h.node, si.SimulateSteps{}, "/watcher/simulate_steps")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	run := func(steps uint64, feedback func(*si.SimulateStepsFeedback)) (*action.Sent[si.SimulateStepsGoal, si.SimulateStepsResult, si.SimulateStepsFeedback], error) {
		sent, err := client.Send(t.Context(), &si.SimulateStepsGoal{Steps: steps}, feedback)
		if err != nil {
			t.Fatal(err)
		}
		_, err = sent.Result(context.Background())
		return sent, err
	}
	if _, err := run(3, nil); !errors.Is(err, action.ErrAborted) {
		t.Error("while time is not paused:", err)
	}
	if err := clock.SetFactor(0); err != nil {
		t.Fatal(err)
	}
	before, feedback := clock.Now(), make(chan si.SimulateStepsFeedback, 9)
	if _, err := run(3, func(f *si.SimulateStepsFeedback) { feedback <- *f }); err != nil || clock.Now().Sub(before) != 3*simclock.StepPeriod {
		t.Error(err, clock.Now().Sub(before))
	}
	for n := uint64(1); n <= 3; n++ {
		if f := <-feedback; f.CompletedSteps != n || f.RemainingSteps != 3-n {
			t.Errorf("step %d: %+v", n, f)
		}
	}
	sent, err := client.Send(t.Context(), &si.SimulateStepsGoal{Steps: 1 << 60}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := sent.Cancel(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := sent.Result(t.Context()); !errors.Is(err, action.ErrCanceled) {
		t.Error(err)
	}
	for _, f := range []uint8{si.SimulatorFeaturesStepSimulationAction, si.SimulatorFeaturesStepSimulationSingle,
		si.SimulatorFeaturesStepSimulationMultiple, si.SimulatorFeaturesSimulationStateSetting, si.SimulatorFeaturesSimulationStatePause} {
		if !slices.Contains(h.features(), uint16(f)) {
			t.Errorf("feature %d is not said", f)
		}
	}
}

// TestDescriptionLeavesWithTheRobot: a new robot or person with the name of a removed one is not described as that was,
// whichever way it left.
func TestDescriptionLeavesWithTheRobot(t *testing.T) {
	h := newHosted(t)
	infoOf := func(uri string) (*si.EntityInfo, si.Result) {
		r := h.ask(si.SpawnEntityRequest{Name: "late", Uri: uri, InitialPose: at(0.3, 0.3)}).Result
		i := call(t, h.node, si.GetEntityInfo{}, fleet.ServiceInfo, &si.GetEntityInfoRequest{Entity: "late"})
		return &i.Info, r
	}
	ways := map[string]func() si.Result{
		"delete_entity": func() si.Result {
			return call(t, h.node, si.DeleteEntity{}, fleet.ServiceDelete, &si.DeleteEntityRequest{Entity: "late"}).Result
		},
		"reset_simulation": func() si.Result { return h.reset(si.ResetSimulationRequestScopeSpawned) },
	}
	for name, leave := range ways {
		for _, uri := range []string{world.LevelFunctional, "person"} {
			if _, r := infoOf(uri); r.Result != si.ResultOK {
				t.Fatalf("%s, %s: %+v", name, uri, r)
			}
			q := &si.SetEntityInfoRequest{Entity: "late", Info: si.EntityInfo{Description: "mine"}}
			if r := call(t, h.node, si.SetEntityInfo{}, fleet.ServiceSetInfo, q).Result; r.Result != si.ResultOK {
				t.Fatalf("%s, %s: %+v", name, uri, r)
			}
			if r := leave(); r.Result != si.ResultOK {
				t.Fatalf("%s, %s: %+v", name, uri, r)
			}
			if info, r := infoOf(uri); r.Result != si.ResultOK || info.Description == "mine" {
				t.Errorf("%s, %s: the next one is %+v, %+v", name, uri, info, r)
			}
			if r := leave(); r.Result != si.ResultOK {
				t.Fatalf("%s, %s: %+v", name, uri, r)
			}
		}
	}
}
