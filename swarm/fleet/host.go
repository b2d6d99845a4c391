// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"errors"
	"fmt"
	"sync"

	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Services of the simulation's node, relative to its name, and its action: those of the package simulation_interfaces.
const (
	ServiceSpawn      = "~/spawn_entity"
	ServiceDelete     = "~/delete_entity"
	ServiceList       = "~/get_entities"
	ServiceSpawnables = "~/get_spawnables"
	ServiceWhere      = "~/get_entity_state"
	ServicePut        = "~/set_entity_state"
	ServiceState      = "~/get_simulation_state"
	ServiceSetState   = "~/set_simulation_state"
	ServiceStep       = "~/step_simulation"
	ServiceReset      = "~/reset_simulation"
	ServiceFeatures   = "~/get_simulator_features"
	ServiceSpawnMany  = "~/spawn_entities"
	ServiceStates     = "~/get_entities_states"
	ServiceInfo       = "~/get_entity_info"
	ServiceSetInfo    = "~/set_entity_info"
	ServiceBounds     = "~/get_entity_bounds"
	ServicePoses      = "~/get_named_poses"
	ServicePoseBounds = "~/get_named_pose_bounds"
	ServiceWorld      = "~/get_current_world"
	ServiceLoad       = "~/load_world"
	ServiceUnload     = "~/unload_world"
	ServiceWorlds     = "~/get_available_worlds"
	ActionSteps       = "~/simulate_steps"
)

// HostConfig describes a [Host].
type HostConfig struct {
	// Node offers the services. It is required; the host does not close it.
	Node *ros2.Node
	// Simulation is the world. It is required.
	Simulation *sim.Simulation
	// World is what the world is called. Unloaded says that there is none: [WorldSource].Unload was asked for.
	World    string
	Unloaded bool
	// Version of the standard whose types the services have: 1, which is also the default, or 2.
	Version int
	// Fleet are the nodes of its robots; without it no robot can come or go. Robots that are asked for by their level
	// alone are like Like.
	Fleet *Fleet
	Like  world.Robot
	// Pace is the world's clock; without it time can't be stopped, and Held says why, in a sentence for people.
	Pace *Pace
	Held string
	// Restart lets the simulation begin anew with a world, its time, too, soon after it has returned: so that the
	// answer leaves before. The zero source is the present world. Without Restart no world can be loaded.
	Restart func(WorldSource) error
	// Models are the descriptions of robots that can come by their names; others can come by their text.
	Models []string
	// Changed is told of robots that have come (r is not nil) and gone. It may be nil.
	Changed func(name string, r sim.Occupant) error
}

// Host lets others change a running world, by services: robots, people and things come, leave and are put elsewhere,
// time stands and goes on. It is so when the answer comes. It is safe for concurrent use.
type Host struct {
	HostConfig
	home     map[string]sim.Pose // where robots stood first
	closers  []func() error
	features []uint8 // that are offered

	mu    sync.Mutex // one change at a time
	speed float64    // before the pause

	told  sync.Mutex
	infos map[string]si.EntityInfo // that others have set
}

// NewHost offers the services on a node.
func NewHost(cfg HostConfig) (*Host, error) {
	if cfg.Changed == nil {
		cfg.Changed = func(string, sim.Occupant) error { return nil }
	}
	h := &Host{HostConfig: cfg, home: map[string]sim.Pose{}, speed: 1, infos: map[string]si.EntityInfo{}}
	for _, r := range cfg.Simulation.Occupants() {
		h.home[r.Name()] = r.Truth().Pose
	}
	err := errors.Join(h.offerEntities(), h.offerSpawning())
	if cfg.Restart != nil {
		err = errors.Join(err, h.offerWorlds())
	}
	if cfg.Pace != nil {
		err = errors.Join(err, h.offerTime())
	}
	// When all others are there.
	err = errors.Join(err, offer(h, si.GetSimulatorFeatures{}, ServiceFeatures, h.tellFeatures))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("fleet: %w", err), h.Close())
	}
	return h, nil
}

// offer offers one service, which stands for some features.
func offer[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](h *Host, t ros2.ServiceType[Req, Res], name string,
	f ros2.Handler[Req, Res], features ...uint8) error {
	s, err := ros2.NewService[Req, Res, PReq, PRes](h.Node, t, name, f)
	if err == nil {
		h.closers = append(h.closers, s.Close)
		h.features = append(h.features, features...)
	}
	return err
}

// Close withdraws the services; none of them is at work then.
func (h *Host) Close() error {
	var errs []error
	for _, c := range h.closers {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}

// refusal is an answer that is no success.
type refusal struct {
	code uint8
	text string
}

// result is the answer; nil is success.
func (r *refusal) result() si.Result {
	if r == nil {
		return si.Result{Result: si.ResultOK}
	}
	return si.Result{Result: r.code, ErrorMessage: r.text}
}

func refuse(code uint8, format string, args ...any) *refusal {
	return &refusal{code, fmt.Sprintf(format, args...)}
}

func notFound(name string) si.Result {
	return si.Result{Result: si.ResultNotFound, ErrorMessage: fmt.Sprintf("nothing is called %q", name)}
}

// outcome is the answer for an error, or for none.
func outcome(err error) si.Result {
	if err != nil {
		return si.Result{Result: si.ResultOperationFailed, ErrorMessage: err.Error()}
	}
	return si.Result{Result: si.ResultOK}
}
