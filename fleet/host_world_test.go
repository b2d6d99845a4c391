// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/fleet"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces/rolling"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// restarting is a host whose simulation can restart.
type restarting struct {
	*hosted
	asked []fleet.WorldSource
	err   error // of the next time
}

func newRestarting(t *testing.T, version int, name string) *restarting {
	t.Helper()
	w, err := sim.LoadWorld("swarm")
	if err != nil {
		t.Fatal(err)
	}
	r := &restarting{hosted: &hosted{rig: newRigOf(t, w, sim.Options{Seed: 1}, fleet.Config{})}}
	host, err := fleet.NewHost(fleet.HostConfig{
		Node: r.node, Simulation: r.sim, Fleet: r.fleet, Like: w.Robots[0], World: name, Unloaded: name == "", Version: version,
		Restart: func(s fleet.WorldSource) error {
			r.asked = append(r.asked, s)
			return r.err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *restarting) load(uri, text string) *si.LoadWorldResponse {
	r.t.Helper()
	return call(r.t, r.node, si.LoadWorld{}, fleet.ServiceLoad, &si.LoadWorldRequest{Uri: uri, ResourceString: text})
}

// TestLoadWorld: a world comes by its name or its text; what is none is refused, and no file of this machine is read.
func TestLoadWorld(t *testing.T) {
	r := newRestarting(t, 1, "swarm")
	const text = "robots: [{name: eve, level: functional}]"
	for _, c := range []struct {
		uri, text string
		code      uint8
		name      string
		asks      *fleet.WorldSource
	}{
		{"maze", "", si.ResultOK, "maze", &fleet.WorldSource{Name: "maze"}},
		{"maze", text, si.ResultOK, "maze", &fleet.WorldSource{Name: "maze"}}, // the text is for an empty uri
		{"swarm", "", si.ResultOK, "swarm", &fleet.WorldSource{}},
		{"", text, si.ResultOK, "text", &fleet.WorldSource{Name: "text", Text: text}},
		{"", "", si.LoadWorldResponseNoResource, "", nil},
		{"", "robots: [", si.LoadWorldResponseResourceParseError, "", nil},
		{"", "robots: []", si.LoadWorldResponseResourceParseError, "", nil},
		{"/etc/passwd", "", si.ResultNotFound, "", nil},
		{"../maze.yaml", "", si.ResultNotFound, "", nil},
		{"text", "", si.ResultNotFound, "", nil},
	} {
		r.asked = nil
		got := r.load(c.uri, c.text)
		if got.Result.Result != c.code || (c.code == si.ResultOK) != (got.Result.ErrorMessage == "") || got.World.Name != c.name {
			t.Errorf("%q, %q: %+v", c.uri, c.text, got)
		}
		if (c.asks == nil) != (len(r.asked) == 0) || c.asks != nil && r.asked[0] != *c.asks {
			t.Errorf("%q, %q: asks for %+v", c.uri, c.text, r.asked)
		}
	}
	r.err = errors.New("too many robots")
	if got := r.load("maze", ""); got.Result.Result != si.ResultOperationFailed || got.Result.ErrorMessage != "too many robots" {
		t.Errorf("%+v", got)
	}
}

// TestLoadWorldVersion2: the same by the types of version 2.
func TestLoadWorldVersion2(t *testing.T) {
	r := newRestarting(t, 2, "swarm")
	q := &rolling.LoadWorldRequest{WorldResource: si.Resource{Uri: "maze"}}
	if got := call(t, r.node, rolling.LoadWorld{}, fleet.ServiceLoad, q); got.Result.Result != si.ResultOK || got.World.Name != "maze" {
		t.Errorf("%+v", got)
	}
	q = &rolling.LoadWorldRequest{WorldResource: si.Resource{ResourceString: "robots: ["}}
	if got := call(t, r.node, rolling.LoadWorld{}, fleet.ServiceLoad, q); got.Result.Result != si.LoadWorldResponseResourceParseError {
		t.Errorf("%+v", got)
	}
	if len(r.asked) != 1 || r.asked[0].Name != "maze" {
		t.Errorf("asked for %+v", r.asked)
	}
}

// TestUnloadWorld: a world is taken away once; without one the services say so, and one can be loaded again.
func TestUnloadWorld(t *testing.T) {
	unload := func(r *restarting) si.Result {
		return call(t, r.node, si.UnloadWorld{}, fleet.ServiceUnload, &si.UnloadWorldRequest{}).Result
	}
	state := func(r *restarting) uint8 {
		return call(t, r.node, si.GetSimulationState{}, fleet.ServiceState, &si.GetSimulationStateRequest{}).State.State
	}
	current := func(r *restarting) *si.GetCurrentWorldResponse {
		return call(t, r.node, si.GetCurrentWorld{}, fleet.ServiceWorld, &si.GetCurrentWorldRequest{})
	}
	for _, version := range []int{1, 2} {
		r := newRestarting(t, version, "swarm")
		if got := unload(r); got.Result != si.ResultOK || len(r.asked) != 1 || r.asked[0] != (fleet.WorldSource{Unload: true}) {
			t.Errorf("version %d: %+v, asked for %+v", version, got, r.asked)
		}
		if r.err = errors.New("too late"); unload(r).Result != si.ResultOperationFailed {
			t.Errorf("version %d: a refused request is reported as done", version)
		}
		if got := state(r); got != si.SimulationStateStatePlaying || current(r).World.Name != "swarm" {
			t.Errorf("version %d: state %d with a world", version, got)
		}
	}
	r := newRestarting(t, 1, "")
	if got := unload(r); got.Result != si.UnloadWorldResponseNoWorldLoaded || len(r.asked) != 0 {
		t.Errorf("%+v, asked for %+v", got, r.asked)
	}
	if got := state(r); got != si.SimulationStateStateNoWorld || current(r).Result.Result != si.GetCurrentWorldResponseNoWorldLoaded {
		t.Errorf("state %d without a world, which is %+v", got, current(r))
	}
	if got := r.load("maze", ""); got.Result.Result != si.ResultOK || len(r.asked) != 1 || r.asked[0].Name != "maze" {
		t.Errorf("%+v, asked for %+v", got, r.asked)
	}
}

// TestAvailableWorlds: the built-in ones, and that of the command line.
func TestAvailableWorlds(t *testing.T) {
	r := newRestarting(t, 1, "my/world.yaml")
	list := func(q si.GetAvailableWorldsRequest) (uint8, []string) {
		got := call(t, r.node, si.GetAvailableWorlds{}, fleet.ServiceWorlds, &q)
		var names []string
		for _, w := range got.Worlds {
			if w.WorldResource.Uri != w.Name {
				t.Errorf("%+v", w)
			}
			names = append(names, w.Name)
		}
		return got.Result.Result, names
	}
	all := append([]string{"my/world.yaml"}, world.Examples()...)
	if code, names := list(si.GetAvailableWorldsRequest{}); code != si.ResultOK || !slices.Equal(names, all) {
		t.Errorf("%d, %q", code, names)
	}
	if code, names := list(si.GetAvailableWorldsRequest{AdditionalSources: []string{"shop"}}); code != si.ResultFeatureUnsupported || names != nil {
		t.Errorf("%d, %q", code, names)
	}
	if code, names := list(si.GetAvailableWorldsRequest{AdditionalSources: []string{"shop"}, ContinueOnError: true}); code != si.ResultOK || len(names) != len(all) {
		t.Errorf("%d, %q", code, names)
	}
	if code, names := list(si.GetAvailableWorldsRequest{Filter: si.TagsFilter{Tags: []string{"large"}}}); code != si.ResultOK || names != nil {
		t.Errorf("%d, %q", code, names)
	}
	if got := r.load("my/world.yaml", ""); got.Result.Result != si.ResultOK || got.World.Name != "my/world.yaml" {
		t.Errorf("%+v", got)
	}
}

// TestResetOfTime: where the simulation can restart, a reset of time restarts all nodes, and the features say
// so; the other scopes stay what they are.
func TestResetOfTime(t *testing.T) {
	r := newRestarting(t, 1, "swarm")
	for f, want := range map[uint8]bool{
		si.SimulatorFeaturesSimulationResetTime: true, si.SimulatorFeaturesWorldLoading: true, si.SimulatorFeaturesWorldResourceString: true,
		si.SimulatorFeaturesAvailableWorlds: true, si.SimulatorFeaturesWorldUnloading: true, si.SimulatorFeaturesWorldTags: false,
	} {
		if slices.Contains(r.features(), uint16(f)) != want {
			t.Errorf("feature %d: is not reported as it is", f)
		}
	}
	for scope, want := range map[uint8]int{0: 1, 1: 1, 7: 1, 255: 1, 2: 0, 4: 0, 6: 0} {
		r.asked = nil
		if got := r.reset(scope); got.Result != si.ResultOK || len(r.asked) != want || want == 1 && r.asked[0] != (fleet.WorldSource{}) {
			t.Errorf("scope %d: %+v, asked for %+v", scope, got, r.asked)
		}
	}
	text := call(t, r.node, si.GetSimulatorFeatures{}, fleet.ServiceFeatures, &si.GetSimulatorFeaturesRequest{}).Features.CustomInfo
	if !strings.Contains(text, "restarts all nodes") {
		t.Error(text)
	}
}
