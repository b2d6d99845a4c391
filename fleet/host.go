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

// Services of the simulation's node, relative to its name, and its action: those of the package simulation_interfaces.
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
	// Clock is the world's clock; without it time can't be stopped, and Held says why, in a sentence for people.
	Clock *simclock.Clock
	Held  string
	// Restart lets the simulation begin anew with a world, its time, too, soon after it has returned: so that the
	// answer leaves before. The zero source is the present world. Without Restart no world can be loaded.
	Restart func(WorldSource) error
	// Models are the descriptions of robots that can come by their names; others can come by their text.
	Models []string
	// Changed is called for robots that were added (r is not nil) and removed. It may be nil.
	Changed func(name string, r sim.Robot) error
}

// Host offers services that change a running world: they add, move and remove robots, people and things,
// pause and continue time. A change is complete when its response is sent. It is safe for concurrent use.
type Host struct {
	HostConfig
	home     map[string]sim.Pose // initial poses of robots
	closers  []func() error
	features []uint8  // that are offered
	missing  []string // names of services and actions whose types the transport does not have

	mu    sync.Mutex // one change at a time
	speed float64    // before the pause

	infoMu sync.Mutex
	infos  map[string]si.EntityInfo // that others have set
}

// NewHost offers the services on a node. Those whose types its transport does not have are left out, with a warning: an
// installation of ROS 2 need not have simulation_interfaces.
func NewHost(cfg HostConfig) (*Host, error) {
	if cfg.Changed == nil {
		cfg.Changed = func(string, sim.Robot) error { return nil }
	}
	h := &Host{HostConfig: cfg, home: map[string]sim.Pose{}, speed: 1, infos: map[string]si.EntityInfo{}}
	for _, r := range cfg.Simulation.Robots() {
		h.home[r.Name()] = r.GroundTruth().Pose
	}
	err := errors.Join(h.offerEntities(), h.offerSpawning())
	if cfg.Restart != nil {
		err = errors.Join(err, h.offerWorlds())
	}
	if cfg.Clock != nil {
		err = errors.Join(err, h.offerTime())
	}
	// When all others are there.
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

// offer offers one service, which stands for some features.
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

// unlessMissing returns the error of a service, but for a missing type, which it notes.
func unlessMissing(h *Host, name string, err error) error {
	if !errors.Is(err, ros2.ErrNoType) {
		return err
	}
	h.missing = append(h.missing, name)
	return nil
}

// Close withdraws the services; none of them is at work then.
func (h *Host) Close() error {
	var errs []error
	for _, c := range h.closers {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}

// Limits of requests, which anyone on the network can send.
const (
	// maxResource bounds a resource_string, in bytes: decoding YAML takes some hundred times its length.
	maxResource = 1 << 20
	// maxBatch bounds the entities of one request.
	maxBatch = 1000
	// maxFilter bounds a regular expression, in bytes: it becomes a program some hundred times as long.
	maxFilter = 1000
	// maxReason bounds the text of a refusal, in bytes: it quotes the request.
	maxReason = 1000
)

// checkResource refuses a resource_string that is too long.
func checkResource(text string, code uint8) *refusal {
	if len(text) <= maxResource {
		return nil
	}
	return refuse(code, "resource_string has %d bytes, at most %d", len(text), maxResource)
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

// refuse makes an answer whose text quotes what was asked: it is cut, and its control characters are escaped.
func refuse(code uint8, format string, args ...any) *refusal {
	text := fmt.Sprintf(format, args...)
	if len(text) > maxReason {
		text = strings.ToValidUTF8(text[:maxReason], "") + " …"
	}
	return &refusal{code, printable.Text(text)}
}

func notFound(name string) si.Result {
	return refuse(si.ResultNotFound, "nothing is called %q", name).result()
}

// outcome is the answer for an error, or for none.
func outcome(err error) si.Result {
	if err != nil {
		return refuse(si.ResultOperationFailed, "%v", err).result()
	}
	return si.Result{Result: si.ResultOK}
}
