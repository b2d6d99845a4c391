// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/printable"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Services of the simulation's node, relative to its name, and its action, by the package simulation_interfaces.
const (
	serviceSpawn      = "~/spawn_entity"
	serviceDelete     = "~/delete_entity"
	serviceList       = "~/get_entities"
	serviceSpawnables = "~/get_spawnables"
	serviceWhere      = "~/get_entity_state"
	servicePut        = "~/set_entity_state"
	serviceState      = "~/get_simulation_state"
	serviceSetState   = "~/set_simulation_state"
	serviceStep       = "~/step_simulation"
	serviceReset      = "~/reset_simulation"
	serviceFeatures   = "~/get_simulator_features"
	serviceSpawnMany  = "~/spawn_entities"
	serviceStates     = "~/get_entities_states"
	serviceInfo       = "~/get_entity_info"
	serviceSetInfo    = "~/set_entity_info"
	serviceBounds     = "~/get_entity_bounds"
	servicePoses      = "~/get_named_poses"
	servicePoseBounds = "~/get_named_pose_bounds"
	serviceWorld      = "~/get_current_world"
	serviceLoad       = "~/load_world"
	serviceUnload     = "~/unload_world"
	serviceWorlds     = "~/get_available_worlds"
	actionSteps       = "~/simulate_steps"
)

// HostConfig configures a [Host].
type HostConfig struct {
	// Node has the services. It is required; the host does not close it.
	Node *ros2.Node
	// Simulation is the world. It is required.
	Simulation *sim.Simulation
	// World is the world's name. Unloaded means that no world is loaded, see [WorldSource].Unload.
	World    string
	Unloaded bool
	// Version is the version of simulation_interfaces whose types the services have: 1, the default, or 2.
	Version int
	// Fleet has the nodes of the world's robots; without it no robot can be added or removed. Robots that are
	// requested only by their level are like Like.
	Fleet *Fleet
	Like  world.Robot
	// Clock is the world's clock; without it time can't be paused, and Held is the reason, a sentence for users.
	Clock *simclock.Clock
	Held  string
	// Restart restarts the simulation, including its time, with a world, shortly after it has returned, so that the
	// response is sent first. The zero source means the current world. Without Restart no world can be loaded.
	Restart func(WorldSource) error
	// Models are the names of descriptions from which robots can be spawned; other robots by the text of their
	// description.
	Models []string
	// Changed is called after a robot was added (r is not nil) or removed. It may be nil.
	Changed func(name string, r sim.Robot) error
}

// Host has services that change a running world: they add, move and remove robots, people and objects, and pause and
// continue time. A change is complete when its response is sent. It is safe for concurrent use.
type Host struct {
	HostConfig
	initialPoses map[string]sim.Pose // initial poses of robots
	closers      []func() error
	features     []uint8  // supported features
	missing      []string // names of services and actions whose types the transport does not have

	mu    sync.Mutex // one change at a time
	speed float64    // real-time factor before the pause

	infoMu sync.Mutex
	infos  map[string]si.EntityInfo // set by set_entity_info
}

// NewHost creates the services on a node. Those whose types its transport does not have are left out, with a warning:
// an installation of ROS 2 need not have simulation_interfaces.
func NewHost(cfg HostConfig) (*Host, error) {
	if cfg.Changed == nil {
		cfg.Changed = func(string, sim.Robot) error { return nil }
	}
	h := &Host{HostConfig: cfg, initialPoses: map[string]sim.Pose{}, speed: 1, infos: map[string]si.EntityInfo{}}
	for _, r := range cfg.Simulation.Robots() {
		h.initialPoses[r.Name()] = r.GroundTruth().Pose
	}
	err := errors.Join(h.offerEntities(), h.offerSpawning())
	if cfg.Restart != nil {
		err = errors.Join(err, h.offerWorlds())
	}
	if cfg.Clock != nil {
		err = errors.Join(err, h.offerTime())
	}
	// After all others, whose features it returns.
	err = errors.Join(err, offer(h, si.GetSimulatorFeatures{}, serviceFeatures, h.getFeatures))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("fleet: %w", err), h.Close())
	}
	if len(h.missing) > 0 {
		h.Node.Logger().Warn("services of the simulation are left out: ROS 2 does not have their types (package "+
			"ros-$ROS_DISTRO-simulation-interfaces)", "services", strings.Join(h.missing, " "))
	}
	return h, nil
}

// offer creates one service, which implements some features.
func offer[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](h *Host, t ros2.ServiceType[Req, Res], name string,
	f ros2.Handler[Req, Res], features ...uint8) error {
	s, err := ros2.NewService[Req, Res, PReq, PRes](h.Node, t, name, f)
	if err != nil {
		return unlessMissing(h, name, err)
	}
	h.closers = append(h.closers, s.Close)
	h.features = append(h.features, features...)
	return nil
}

// unlessMissing records a service whose type is missing and returns nil; other errors are returned.
func unlessMissing(h *Host, name string, err error) error {
	if !errors.Is(err, ros2.ErrNoType) {
		return err
	}
	h.missing = append(h.missing, name)
	return nil
}

// Close closes the services and waits for active calls.
func (h *Host) Close() error {
	var errs []error
	for _, c := range h.closers {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}

// Limits of requests, which any participant of the network can send.
const (
	// maxResource is the maximum size of a resource_string, bytes: decoding YAML takes some hundred times its length.
	maxResource = 1 << 20
	// maxBatch is the maximum number of entities of one request.
	maxBatch = 1000
	// maxFilter is the maximum length of a regular expression, bytes: the compiled one is some hundred times as long.
	maxFilter = 1000
	// maxReason is the maximum length of the text of a refusal, bytes: it quotes the request.
	maxReason = 1000
)

// checkResource returns a refusal with a code if a resource_string is too long.
func checkResource(text string, code uint8) *refusal {
	if len(text) <= maxResource {
		return nil
	}
	return refuse(code, "resource_string has %d bytes, at most %d", len(text), maxResource)
}

// refusal is a result other than success.
type refusal struct {
	code uint8
	text string
}

// result returns the message; nil is success.
func (r *refusal) result() si.Result {
	if r == nil {
		return si.Result{Result: si.ResultOK}
	}
	return si.Result{Result: r.code, ErrorMessage: r.text}
}

// refuse returns a refusal whose text may quote the request: it is truncated, and control characters are escaped.
func refuse(code uint8, format string, args ...any) *refusal {
	text := fmt.Sprintf(format, args...)
	if len(text) > maxReason {
		text = strings.ToValidUTF8(text[:maxReason], "") + " …"
	}
	return &refusal{code, printable.Text(text)}
}

func notFound(name string) si.Result {
	return refuse(si.ResultNotFound, "there is no entity %q", name).result()
}

// outcome returns the result for an error or for success.
func outcome(err error) si.Result {
	if err != nil {
		return refuse(si.ResultOperationFailed, "%v", err).result()
	}
	return si.Result{Result: si.ResultOK}
}
