// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/planar"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces/batch"
	"github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces/rolling"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// frameWorld is the frame of all poses of the services.
const frameWorld = "world"

// offerSpawning creates the services that add and remove entities.
func (h *Host) offerSpawning() error {
	err := errors.Join(
		offer(h, si.DeleteEntity{}, serviceDelete, h.remove, si.SimulatorFeaturesDeleting),
		offer(h, batch.SpawnEntities{}, serviceSpawnMany, h.spawnMany, si.SimulatorFeaturesSpawningEntities))
	if h.Fleet != nil { // resource strings are supported for robots only
		h.features = append(h.features, si.SimulatorFeaturesSpawningResourceString)
	}
	if h.Version == 2 {
		return errors.Join(err,
			offer(h, rolling.SpawnEntity{}, serviceSpawn, h.spawnRolling, si.SimulatorFeaturesSpawning),
			offer(h, rolling.GetSpawnables{}, serviceSpawnables, h.spawnablesRolling, si.SimulatorFeaturesSpawnables))
	}
	return errors.Join(err,
		offer(h, si.SpawnEntity{}, serviceSpawn, h.spawn, si.SimulatorFeaturesSpawning),
		offer(h, si.GetSpawnables{}, serviceSpawnables, h.spawnables, si.SimulatorFeaturesSpawnables))
}

func (h *Host) spawn(_ context.Context, q *si.SpawnEntityRequest) (*si.SpawnEntityResponse, error) {
	name, refused := h.spawnEntity(q)
	return &si.SpawnEntityResponse{Result: refused.result(), EntityName: name}, nil
}

func (h *Host) spawnRolling(_ context.Context, q *rolling.SpawnEntityRequest) (*rolling.SpawnEntityResponse, error) {
	name, refused := h.spawnEntity(&si.SpawnEntityRequest{
		Name: q.Name, AllowRenaming: q.AllowRenaming, Uri: q.EntityResource.Uri, ResourceString: q.EntityResource.ResourceString,
		EntityNamespace: q.EntityNamespace, InitialPose: q.InitialPose,
	})
	return &rolling.SpawnEntityResponse{Result: refused.result(), EntityName: name}, nil
}

func (h *Host) spawnMany(_ context.Context, q *batch.SpawnEntitiesRequest) (*batch.SpawnEntitiesResponse, error) {
	r := &batch.SpawnEntitiesResponse{Result: outcome(nil)}
	if n := len(q.SpawnRequests); n > maxBatch {
		r.Result = refuse(batch.SpawnEntitiesResponseEntitiesSpawnFailed, "%d entities in one request, at most %d", n, maxBatch).result()
		return r, nil
	}
	failed := 0
	for _, one := range q.SpawnRequests {
		name, refused := h.spawnEntity(&si.SpawnEntityRequest{
			Name: one.Name, AllowRenaming: one.AllowRenaming, Uri: one.EntityResource.Uri, ResourceString: one.EntityResource.ResourceString,
			EntityNamespace: one.EntityNamespace, InitialPose: one.InitialPose,
		})
		if refused != nil {
			failed++
		}
		r.Results = append(r.Results, batch.SpawnResult{Result: refused.result(), EntityName: name})
	}
	if failed > 0 {
		r.Result = refuse(batch.SpawnEntitiesResponseEntitiesSpawnFailed, "%d of %d failed", failed, len(r.Results)).result()
	}
	return r, nil
}

func (h *Host) spawnablesRolling(ctx context.Context, q *rolling.GetSpawnablesRequest) (*rolling.GetSpawnablesResponse, error) {
	all, err := h.spawnables(ctx, &si.GetSpawnablesRequest{Sources: q.Sources})
	if err != nil {
		return nil, err
	}
	r := &rolling.GetSpawnablesResponse{Result: all.Result}
	for _, s := range all.Spawnables {
		r.Spawnables = append(r.Spawnables, rolling.Spawnable{EntityResource: si.Resource{Uri: s.Uri}, Description: s.Description, SpawnBounds: s.SpawnBounds})
	}
	return r, nil
}

// spawnEntity adds the requested entity to the world and returns its name.
func (h *Host) spawnEntity(q *si.SpawnEntityRequest) (string, *refusal) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if q.Uri == "" && q.ResourceString == "" {
		return "", refuse(si.SpawnEntityResponseNoResource,
			"uri must be one of %q or a level, one of %q, or a robot, one of %q, or resource_string a world with one robot or a description", kinds(), world.JoiningLevels(), h.Models)
	}
	if refused := checkResource(q.ResourceString, si.SpawnEntityResponseResourceParseError); refused != nil {
		return "", refused
	}
	pose, refused := planarPose(&q.InitialPose)
	if refused != nil {
		return "", refused
	}
	switch q.Uri {
	case kindPerson, kindCylinder:
		return h.spawnFigure(q, pose)
	case kindPuck, kindBlock:
		return h.spawnLoad(q, pose)
	}
	r, refused := h.requestedRobot(q)
	if refused == nil {
		r.Position, r.Yaw = world.Point{pose.X, pose.Y}, pose.Theta
		r.Name, refused = h.newName(q, r.Name, cmp.Or(strings.TrimSuffix(r.Model, path.Ext(r.Model)), "epuck"))
	}
	if refused == nil {
		refused = h.spawnRobot(&r)
	}
	if refused != nil {
		return "", refused
	}
	return r.Name, nil
}

// spawnFigure adds a person or a cylinder to the world.
func (h *Host) spawnFigure(q *si.SpawnEntityRequest, pose sim.Pose) (string, *refusal) {
	name, refused := h.newName(q, "", q.Uri)
	if refused != nil {
		return "", refused
	}
	p := figure(q.Uri)
	p.Name, p.Pose = name, pose
	if err := h.Simulation.Admit(p); err != nil {
		return "", placementRefusal(err)
	}
	if q.Uri == kindCylinder {
		h.describe(name, &si.EntityInfo{Category: si.EntityCategory{Category: si.EntityCategoryCategoryObject}, Description: kindCylinder})
	}
	return name, nil
}

// kinds returns the kinds of entities that can be spawned in addition to robots.
func kinds() []string { return []string{kindPerson, kindCylinder, kindPuck, kindBlock} }

// spawnLoad adds an object that robots can push to the world.
func (h *Host) spawnLoad(q *si.SpawnEntityRequest, pose sim.Pose) (string, *refusal) {
	name, refused := h.newName(q, "", q.Uri)
	if refused != nil {
		return "", refused
	}
	t, l := loadOf(q.Uri, pose)
	t.Name = name
	if err := h.Simulation.Put(t, l); err != nil {
		return "", placementRefusal(err)
	}
	return name, nil
}

// requestedRobot returns the requested robot.
func (h *Host) requestedRobot(q *si.SpawnEntityRequest) (world.Robot, *refusal) {
	r := h.Like
	r.Name = ""
	if h.Fleet == nil {
		return r, refuse(si.ResultFeatureUnsupported, "this simulation has the robots it was started with; start it with --robots N or --real-time-factor to add more")
	}
	if other, is, refused := h.requestedModel(q); is || refused != nil {
		return other, refused
	}
	switch {
	case slices.Contains(world.JoiningLevels(), q.Uri):
		if r.Level = q.Uri; r.Model != "" { // described robots have no levels
			r = plainRobot(q.Uri)
		}
	case q.Uri != "":
		return r, refuse(si.SpawnEntityResponseUnsupportedFormat, "uri %q: must be one of %q or a level, one of %q, or a robot, one of %q", q.Uri, kinds(), world.JoiningLevels(), h.Models)
	default:
		w, err := world.Parse([]byte(q.ResourceString))
		if err != nil {
			return r, refuse(si.SpawnEntityResponseResourceParseError, "%v", err)
		}
		if len(w.Robots) != 1 {
			return r, refuse(si.SpawnEntityResponseResourceParseError, "%d robots, must be one", len(w.Robots))
		}
		r = w.Robots[0]
		if r.Model == "" && !slices.Contains(world.JoiningLevels(), r.Level) {
			return r, refuse(si.SpawnEntityResponseUnsupportedFormat, "level %q: must be one of %q", r.Level, world.JoiningLevels())
		}
	}
	return r, nil
}

// planarPose returns a requested pose in the world; an empty frame is "world", and a quaternion of zeros means no
// rotation. A pose that is not upright and on the floor is refused.
func planarPose(m *geometry_msgs.PoseStamped) (sim.Pose, *refusal) {
	p, q := m.Pose.Position, m.Pose.Orientation
	norm := math.Sqrt(float64(q.X*q.X) + float64(q.Y*q.Y) + float64(q.Z*q.Z) + float64(q.W*q.W))
	switch {
	case m.Header.FrameID != "" && m.Header.FrameID != frameWorld:
		return sim.Pose{}, refuse(si.SpawnEntityResponseInvalidPose, "frame %q: must be %s", m.Header.FrameID, frameWorld)
	case q != geometry_msgs.Quaternion{} && !(math.Abs(norm-1) < 0.01):
		return sim.Pose{}, refuse(si.SpawnEntityResponseInvalidPose, "the orientation's length is %g, must be 1", norm)
	case !(math.Abs(p.X) <= world.MaxCoordinate && math.Abs(p.Y) <= world.MaxCoordinate):
		return sim.Pose{}, refuse(si.SpawnEntityResponseInvalidPose, "position (%g, %g) m", p.X, p.Y)
	}
	turn, err := planar.OptionalRotationOf(q)
	if err == nil {
		_, err = turn.Heading()
	}
	if err = errors.Join(planar.OnFloor(p), err); err != nil {
		return sim.Pose{}, refuse(si.SpawnEntityResponseInvalidPose, "%v", err)
	}
	return sim.Pose{X: p.X, Y: p.Y, Theta: geom.Angle(geom.Vec{X: 1 - float64(2*(float64(q.Y*q.Y)+float64(q.Z*q.Z))), Y: 2 * (float64(q.W*q.Z) + float64(q.X*q.Y))})}, nil
}

// nodeName matches valid names of entities, which are namespaces.
var nodeName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,59}$`)

// newName returns an entity's name: the requested one, the description's, or a new one if that is allowed and needed.
func (h *Host) newName(q *si.SpawnEntityRequest, described, kind string) (string, *refusal) {
	base := cmp.Or(q.Name, described)
	if base == "" && q.AllowRenaming {
		base = kind
	}
	if !nodeName.MatchString(base) {
		return "", refuse(si.SpawnEntityResponseNameInvalid, "name %q: must be letters, digits and _, and begin with a letter", base)
	}
	name := base
	for n := 1; h.taken(name); n++ {
		if !q.AllowRenaming {
			return "", refuse(si.SpawnEntityResponseNameNotUnique, "the name %q is taken", name)
		}
		name = fmt.Sprint(base, "_", n)
	}
	if ns := strings.Trim(q.EntityNamespace, "/"); ns != "" && ns != name {
		return "", refuse(si.SpawnEntityResponseNamespaceInvalid, "namespace %q: a robot's is its name, %q, or leave it empty", q.EntityNamespace, name)
	}
	return name, nil
}

// placementRefusal returns the refusal for an error of adding an entity to the world.
func placementRefusal(err error) *refusal {
	if errors.Is(err, sim.ErrOccupied) {
		return refuse(si.SpawnEntityResponseInvalidPose, "%v", err)
	}
	return refuse(si.ResultOperationFailed, "%v", err)
}

func (h *Host) taken(name string) bool {
	_, there := h.entity(name)
	return there
}

func (h *Host) remove(_ context.Context, q *si.DeleteEntityRequest) (*si.DeleteEntityResponse, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e, ok := h.entity(q.Entity)
	if !ok {
		return &si.DeleteEntityResponse{Result: notFound(q.Entity)}, nil
	}
	var err error
	switch {
	case e.robot != nil && h.Fleet != nil:
		err = h.removeRobot(e.name)
	case e.isPerson:
		err = h.removePerson(e.name)
	case e.added:
		h.describe(e.name, nil)
		err = h.Simulation.Take(e.name)
	default:
		err = fmt.Errorf("%q is part of the world and can't be removed", e.name)
	}
	return &si.DeleteEntityResponse{Result: outcome(err)}, nil
}

// removeRobot removes a robot from the network and the world; a later robot of its name may have another description.
func (h *Host) removeRobot(name string) error {
	h.describe(name, nil)
	return errors.Join(h.Changed(name, nil), h.Fleet.Remove(name), h.Simulation.Remove(name))
}

// removePerson removes a spawned person or cylinder from the world.
func (h *Host) removePerson(name string) error {
	h.describe(name, nil)
	return h.Simulation.Dismiss(name)
}
