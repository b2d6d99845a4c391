// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"context"
	"errors"
	"slices"

	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces/rolling"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// WorldSource selects a world: a built-in one or that of the command line by its name, or another by its text.
type WorldSource struct {
	Name string
	// Text is the content of a world file; empty: the world called Name.
	Text string
	// Unload selects an empty plane without robots, until a world is loaded.
	Unload bool
}

// textWorld is the name of a world that was loaded as text.
const textWorld = "text"

// offerWorlds creates the services that replace the world.
func (h *Host) offerWorlds() error {
	loads := []uint8{si.SimulatorFeaturesWorldLoading, si.SimulatorFeaturesWorldResourceString, si.SimulatorFeaturesSimulationResetTime}
	err := errors.Join(
		offer(h, si.GetAvailableWorlds{}, serviceWorlds, h.worlds, si.SimulatorFeaturesAvailableWorlds),
		offer(h, si.UnloadWorld{}, serviceUnload, h.unload, si.SimulatorFeaturesWorldUnloading))
	if h.Version == 2 {
		return errors.Join(err, offer(h, rolling.LoadWorld{}, serviceLoad, h.loadRolling, loads...))
	}
	return errors.Join(err, offer(h, si.LoadWorld{}, serviceLoad, h.load, loads...))
}

func (h *Host) load(_ context.Context, q *si.LoadWorldRequest) (*si.LoadWorldResponse, error) {
	w, refused := h.loadWorld(q.Uri, q.ResourceString)
	return &si.LoadWorldResponse{Result: refused.result(), World: w}, nil
}

func (h *Host) loadRolling(_ context.Context, q *rolling.LoadWorldRequest) (*rolling.LoadWorldResponse, error) {
	w, refused := h.loadWorld(q.WorldResource.Uri, q.WorldResource.ResourceString)
	return &rolling.LoadWorldResponse{Result: refused.result(), World: w}, nil
}

// loadWorld restarts the simulation with another world. Files of this machine can't be named: every participant of
// the network could read them.
func (h *Host) loadWorld(uri, text string) (w si.WorldResource, refused *refusal) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if refused := checkResource(text, si.LoadWorldResponseResourceParseError); refused != nil {
		return w, refused
	}
	src := WorldSource{Name: uri}
	switch {
	case uri == "" && text == "":
		return w, refuse(si.LoadWorldResponseNoResource, "neither uri nor resource_string is given")
	case uri == "":
		src = WorldSource{Name: textWorld, Text: text}
		if _, err := sim.ParseWorld([]byte(text)); err != nil {
			return w, refuse(si.LoadWorldResponseResourceParseError, "%v", err)
		}
	case uri == h.World && uri != textWorld:
		src = WorldSource{}
	case !slices.Contains(world.Examples(), uri):
		return w, refuse(si.ResultNotFound, "no world is called %q; get_available_worlds has them, and resource_string is for others", uri)
	}
	if err := h.Restart(src); err != nil {
		return w, refuse(si.ResultOperationFailed, "%v", err)
	}
	w.Name, w.WorldResource = src.Name, si.Resource{Uri: uri, ResourceString: text}
	if src.Name == "" {
		w.Name = h.World
	}
	return w, nil
}

// unload restarts the simulation without a world.
func (h *Host) unload(context.Context, *si.UnloadWorldRequest) (*si.UnloadWorldResponse, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var refused *refusal
	if h.Unloaded {
		refused = refuse(si.UnloadWorldResponseNoWorldLoaded, "no world is loaded")
	} else if err := h.Restart(WorldSource{Unload: true}); err != nil {
		refused = refuse(si.ResultOperationFailed, "%v", err)
	}
	return &si.UnloadWorldResponse{Result: refused.result()}, nil
}

// worlds returns the names of the worlds that can be loaded.
func (h *Host) worlds(_ context.Context, q *si.GetAvailableWorldsRequest) (*si.GetAvailableWorldsResponse, error) {
	r := &si.GetAvailableWorldsResponse{Result: outcome(nil)}
	if len(q.AdditionalSources) > 0 {
		r.Result.ErrorMessage = "there are no other sources than the built-in worlds"
		if !q.ContinueOnError {
			r.Result.Result = si.ResultFeatureUnsupported
			return r, nil
		}
	}
	names := world.Examples()
	if !slices.Contains(names, h.World) && h.World != textWorld && !h.Unloaded {
		names = append([]string{h.World}, names...)
	}
	for _, name := range names {
		if tagged(nil, &q.Filter) {
			r.Worlds = append(r.Worlds, si.WorldResource{Name: name, WorldResource: si.Resource{Uri: name}})
		}
	}
	return r, nil
}
