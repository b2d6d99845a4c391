// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/odometry"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// discSides is the number of corners of the polygon that approximates a disc in overlap tests.
const discSides = 16

// entity is a robot, a person or an object of the world, as simulation_interfaces calls them.
type entity struct {
	name     string
	info     si.EntityInfo
	pose     sim.Pose
	v, omega float64 // m/s, rad/s
	shape    geom.Shape
	robot    sim.Robot // nil: not a robot
	isPerson bool      // a person, or a cylinder that was added
	movable  bool      // an object that robots can push
	added    bool      // an object that was added
}

// entities returns all entities, robots first, without the arena.
func (h *Host) entities() (all []entity) {
	add := func(e entity, category uint8, description string, tags ...string) {
		e.info = si.EntityInfo{Category: si.EntityCategory{Category: category}, Description: description, Tags: tags}
		h.infoMu.Lock()
		if info, ok := h.infos[e.name]; ok {
			e.info = info
		}
		h.infoMu.Unlock()
		all = append(all, e)
	}
	for _, r := range h.Simulation.Robots() {
		t := r.GroundTruth()
		solids, _ := r.Outline()
		add(entity{name: r.Name(), pose: t.Pose, v: t.V, omega: t.Omega, shape: footprint(solids, t.Pose), robot: r},
			si.EntityCategoryCategoryRobot, cmp.Or(r.Model(), "e-puck2"), r.Level())
	}
	for _, p := range h.Simulation.Persons() {
		e := entity{name: p.Name, pose: p.Pose, shape: geom.NewDisc(p.Pose.Position(), p.Radius, p.Height), isPerson: true}
		if p.Walking {
			e.v = p.Speed
		}
		add(e, si.EntityCategoryCategoryHuman, kindPerson)
	}
	for _, t := range h.Simulation.Things() {
		if t.Shape.Kind() == geom.Enclosure {
			continue
		}
		at := t.Shape.Center()
		e := entity{name: t.Name, pose: sim.Pose{X: at.X, Y: at.Y, Theta: t.Shape.Yaw()}, shape: t.Shape, movable: t.Movable, added: t.Added}
		if t.Movable {
			add(e, si.EntityCategoryCategoryDynamicObject, "thing that robots push")
			continue
		}
		add(e, si.EntityCategoryCategoryStaticObject, "thing of the world")
	}
	return all
}

// entity returns the entity of a name, with or without a leading slash.
func (h *Host) entity(name string) (entity, bool) {
	name = strings.TrimPrefix(name, "/")
	all := h.entities()
	i := slices.IndexFunc(all, func(e entity) bool { return e.name == name })
	if i < 0 {
		return entity{}, false
	}
	return all[i], true
}

// stateOf returns the pose and the velocity of an entity.
func (h *Host) stateOf(e *entity) (s si.EntityState) {
	s.Header.FrameID = frameWorld
	s.Header.Stamp.Sec, s.Header.Stamp.Nanosec = ros2.Stamp(h.Node.Clock().Now())
	s.Pose = poseOf(e.pose)
	s.Twist.Linear.X, s.Twist.Linear.Y = e.v*math.Cos(e.pose.Theta), e.v*math.Sin(e.pose.Theta)
	s.Twist.Angular.Z = e.omega
	return s
}

func poseOf(p sim.Pose) (m geometry_msgs.Pose) {
	m.Position.X, m.Position.Y = p.X, p.Y
	m.Orientation = heading(p.Theta)
	return m
}

// filtered returns the entities that match a filter.
func (h *Host) filtered(f *si.EntityFilters) ([]entity, *refusal) {
	if n := len(f.Filter); n > maxFilter {
		return nil, refuse(si.ResultOperationFailed, "a filter of %d bytes, at most %d", n, maxFilter)
	}
	wanted, err := regexp.CompilePOSIX(f.Filter)
	if err != nil {
		return nil, refuse(si.ResultOperationFailed, "%v", err)
	}
	near, refused := overlap(&f.Bounds)
	if refused != nil {
		return nil, refused
	}
	return slices.DeleteFunc(h.entities(), func(e entity) bool {
		category := len(f.Categories) == 0 || slices.Contains(f.Categories, e.info.Category)
		return !category || !wanted.MatchString(e.name) || !tagged(e.info.Tags, &f.Tags) || !near(&e)
	}), nil
}

// tagged reports whether an entity's tags match a filter's.
func tagged(have []string, f *si.TagsFilter) bool {
	if len(f.Tags) == 0 {
		return true
	}
	lacks := func(tag string) bool { return !slices.Contains(have, tag) }
	if f.FilterMode == si.TagsFilterFilterModeAll {
		return !slices.ContainsFunc(f.Tags, lacks)
	}
	return slices.ContainsFunc(f.Tags, func(tag string) bool { return !lacks(tag) })
}

func (h *Host) list(_ context.Context, q *si.GetEntitiesRequest) (*si.GetEntitiesResponse, error) {
	all, refused := h.filtered(&q.Filters)
	m := &si.GetEntitiesResponse{Result: refused.result()}
	for i := range all {
		m.Entities = append(m.Entities, all[i].name)
	}
	return m, nil
}

func (h *Host) states(_ context.Context, q *si.GetEntitiesStatesRequest) (*si.GetEntitiesStatesResponse, error) {
	all, refused := h.filtered(&q.Filters)
	m := &si.GetEntitiesStatesResponse{Result: refused.result()}
	for i := range all {
		m.Entities, m.States = append(m.Entities, all[i].name), append(m.States, h.stateOf(&all[i]))
	}
	return m, nil
}

func (h *Host) where(_ context.Context, q *si.GetEntityStateRequest) (*si.GetEntityStateResponse, error) {
	e, ok := h.entity(q.Entity)
	if !ok {
		return &si.GetEntityStateResponse{Result: notFound(q.Entity)}, nil
	}
	return &si.GetEntityStateResponse{Result: outcome(nil), State: h.stateOf(&e)}, nil
}

func (h *Host) info(_ context.Context, q *si.GetEntityInfoRequest) (*si.GetEntityInfoResponse, error) {
	e, ok := h.entity(q.Entity)
	if !ok {
		return &si.GetEntityInfoResponse{Result: notFound(q.Entity)}, nil
	}
	return &si.GetEntityInfoResponse{Result: outcome(nil), Info: e.info}, nil
}

func (h *Host) setInfo(_ context.Context, q *si.SetEntityInfoRequest) (*si.SetEntityInfoResponse, error) {
	h.mu.Lock() // so that it is not removed meanwhile
	defer h.mu.Unlock()
	e, ok := h.entity(q.Entity)
	if !ok {
		return &si.SetEntityInfoResponse{Result: notFound(q.Entity)}, nil
	}
	h.describe(e.name, &q.Info)
	return &si.SetEntityInfoResponse{Result: outcome(nil)}, nil
}

// describe sets the description of an entity; nil removes it.
func (h *Host) describe(name string, info *si.EntityInfo) {
	h.infoMu.Lock()
	defer h.infoMu.Unlock()
	if delete(h.infos, name); info != nil {
		h.infos[name] = *info
	}
}

func (h *Host) bounds(_ context.Context, q *si.GetEntityBoundsRequest) (*si.GetEntityBoundsResponse, error) {
	e, ok := h.entity(q.Entity)
	if !ok {
		return &si.GetEntityBoundsResponse{Result: notFound(q.Entity)}, nil
	}
	upper, lower := reachOf(&e.shape, e.pose)
	return &si.GetEntityBoundsResponse{Result: outcome(nil), Bounds: box(upper, lower, e.shape.Height())}, nil
}

// box returns the bounding box between an upper and a lower corner.
func box(upper, lower geom.Vec, height float64) si.Bounds {
	return si.Bounds{Type: si.BoundsTypeBox, Points: []geometry_msgs.Vector3{
		{X: upper.X, Y: upper.Y, Z: height}, {X: lower.X, Y: lower.Y},
	}}
}

func round(radius, height float64) si.Bounds {
	return box(geom.Vec{X: radius, Y: radius}, geom.Vec{X: -radius, Y: -radius}, height)
}

func (h *Host) spawnables(_ context.Context, q *si.GetSpawnablesRequest) (*si.GetSpawnablesResponse, error) {
	r := &si.GetSpawnablesResponse{Result: outcome(nil)}
	if len(q.Sources) > 0 {
		r.Result.ErrorMessage = "unknown sources: " + strings.Join(q.Sources, ", ")
	}
	if h.Fleet != nil {
		for _, level := range world.JoiningLevels() {
			r.Spawnables = append(r.Spawnables, si.Spawnable{
				Uri: level, Description: "robot, " + level, SpawnBounds: round(physics.BodyRadius, physics.BodyHeight),
			})
		}
	}
	r.Spawnables = append(r.Spawnables, h.spawnableModels()...)
	for _, kind := range []string{kindPerson, kindCylinder} {
		p := figure(kind)
		r.Spawnables = append(r.Spawnables, si.Spawnable{Uri: kind, Description: kind, SpawnBounds: round(p.Radius, p.Height)})
	}
	for _, kind := range []string{kindPuck, kindBlock} {
		t, _ := loadOf(kind, sim.Pose{})
		upper, lower := reachOf(&t.Shape, sim.Pose{})
		r.Spawnables = append(r.Spawnables, si.Spawnable{
			Uri: kind, Description: kind + " that robots push", SpawnBounds: box(upper, lower, t.Shape.Height()),
		})
	}
	return r, nil
}

// Kinds of entities that can be spawned in addition to robots.
const (
	kindPerson   = "person"
	kindCylinder = "cylinder"
	kindPuck     = "puck"
	kindBlock    = "block"
)

// loadOf returns an object that robots can push: a puck or a block.
func loadOf(kind string, p sim.Pose) (sim.Thing, world.Load) {
	at := geom.Vec{X: p.X, Y: p.Y}
	if kind == kindPuck {
		t := sim.Thing{Shape: geom.NewDisc(at, 0.02, 0.04), Colour: [3]uint8{200, 44, 36}}
		return t, world.Load{Movable: true, Mass: 0.02, Friction: world.DefaultFriction}
	}
	t := sim.Thing{Shape: geom.NewBox(at, geom.Vec{X: 0.06, Y: 0.06}, p.Theta, 0.06), Colour: [3]uint8{226, 190, 44}}
	return t, world.Load{Movable: true, Mass: world.DefaultMass, Friction: world.DefaultFriction}
}

// figure returns the simulated object of a kind: a cylinder is a small person that does not move.
func figure(kind string) sim.Person {
	p := sim.DefaultPerson()
	if kind == kindCylinder {
		p.Radius, p.Height, p.Speed = 0.04, 0.1, 0
	}
	return p
}

func (h *Host) namedPoses(_ context.Context, q *si.GetNamedPosesRequest) (*si.GetNamedPosesResponse, error) {
	r := &si.GetNamedPosesResponse{Result: outcome(nil)}
	for name, pose := range h.initialPoses {
		tags := []string{"spawn", "home"}
		if tagged(tags, &q.Tags) {
			r.Poses = append(r.Poses, si.NamedPose{Name: homePrefix + name, Description: "initial pose of " + name, Tags: tags, Pose: poseOf(pose)})
		}
	}
	slices.SortFunc(r.Poses, func(a, b si.NamedPose) int { return cmp.Compare(a.Name, b.Name) })
	return r, nil
}

// homePrefix is the prefix of the names of robots' initial poses.
const homePrefix = "home_"

func (h *Host) namedPoseBounds(_ context.Context, q *si.GetNamedPoseBoundsRequest) (*si.GetNamedPoseBoundsResponse, error) {
	if _, there := h.initialPoses[strings.TrimPrefix(q.Name, homePrefix)]; !there || !strings.HasPrefix(q.Name, homePrefix) {
		return &si.GetNamedPoseBoundsResponse{Result: si.Result{Result: si.ResultNotFound, ErrorMessage: "no pose " + q.Name}}, nil
	}
	return &si.GetNamedPoseBoundsResponse{Result: outcome(nil), Bounds: round(physics.BodyRadius, physics.BodyHeight)}, nil
}

// heading returns the rotation by theta (rad) about the vertical axis.
func heading(theta float64) geometry_msgs.Quaternion {
	s, c := odometry.Sincos(theta / 2)
	return geometry_msgs.Quaternion{Z: s, W: c}
}
