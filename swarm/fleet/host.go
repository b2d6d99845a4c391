// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Services of the simulation's node, relative to its name: those of the package simulation_interfaces, in its 1.x form.
const (
	ServiceSpawn  = "~/spawn_entity"
	ServiceDelete = "~/delete_entity"
	ServiceList   = "~/get_entities"
)

// Host lets robots come into a world and leave it, by services: who is on the network asks, and the robot's node is
// there or gone when the answer comes. It is safe for concurrent use.
type Host struct {
	sim     *sim.Simulation
	robots  *Fleet
	like    world.Robot
	closers []func() error
}

// NewHost offers the services on a node. Robots that are asked for by their level alone are like the one given.
func NewHost(n *ros2.Node, s *sim.Simulation, f *Fleet, like world.Robot) (*Host, error) {
	h := &Host{sim: s, robots: f, like: like}
	spawn, err := ros2.NewService(n, si.SpawnEntity{}, ServiceSpawn, h.spawn)
	if err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	h.closers = append(h.closers, spawn.Close)
	remove, err := ros2.NewService(n, si.DeleteEntity{}, ServiceDelete, h.remove)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("fleet: %w", err), h.Close())
	}
	h.closers = append(h.closers, remove.Close)
	list, err := ros2.NewService(n, si.GetEntities{}, ServiceList, h.list)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("fleet: %w", err), h.Close())
	}
	h.closers = append(h.closers, list.Close)
	return h, nil
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

func refuse(code uint8, format string, args ...any) *refusal {
	return &refusal{code, fmt.Sprintf(format, args...)}
}

func (h *Host) spawn(_ context.Context, q *si.SpawnEntityRequest) (*si.SpawnEntityResponse, error) {
	r, no := h.wanted(q)
	if no == nil {
		no = h.admit(&r, q)
	}
	if no != nil {
		return &si.SpawnEntityResponse{Result: si.Result{Result: no.code, ErrorMessage: no.text}}, nil
	}
	return &si.SpawnEntityResponse{Result: si.Result{Result: si.ResultOK}, EntityName: r.Name}, nil
}

// wanted describes the robot that is asked for.
func (h *Host) wanted(q *si.SpawnEntityRequest) (world.Robot, *refusal) {
	r := h.like
	switch {
	case q.Uri == "" && q.ResourceString == "":
		return r, refuse(si.SpawnEntityResponseNoResource, "uri must be a level, one of %q, or resource_string a world with one robot", world.Levels())
	case q.Uri == world.LevelFirmware || q.Uri == world.LevelFunctional:
		r.Level = q.Uri
	case q.Uri != "":
		return r, refuse(si.SpawnEntityResponseUnsupportedFormat, "uri %q: must be a level, one of %q", q.Uri, world.Levels())
	default:
		w, err := world.Parse([]byte(q.ResourceString))
		if err != nil {
			return r, refuse(si.SpawnEntityResponseResourceParseError, "%v", err)
		}
		if len(w.Robots) != 1 {
			return r, refuse(si.SpawnEntityResponseResourceParseError, "%d robots, must be one", len(w.Robots))
		}
		r = w.Robots[0]
	}
	r.Name = q.Name
	pose, no := placeOf(&q.InitialPose)
	r.Position, r.Yaw = world.Point{pose.X, pose.Y}, pose.Theta
	return r, no
}

// placeOf takes a pose in the world; frame "" is "world", and a quaternion of zeros is none.
func placeOf(m *geometry_msgs.PoseStamped) (sim.Pose, *refusal) {
	p, q := m.Pose.Position, m.Pose.Orientation
	norm := math.Sqrt(float64(q.X*q.X) + float64(q.Y*q.Y) + float64(q.Z*q.Z) + float64(q.W*q.W))
	switch {
	case m.Header.FrameID != "" && m.Header.FrameID != "world":
		return sim.Pose{}, refuse(si.SpawnEntityResponseInvalidPose, "frame %q: must be world", m.Header.FrameID)
	case q != geometry_msgs.Quaternion{} && !(math.Abs(norm-1) < 0.01):
		return sim.Pose{}, refuse(si.SpawnEntityResponseInvalidPose, "the orientation's length is %g, must be 1", norm)
	case !(math.Abs(p.X) <= world.MaxCoordinate && math.Abs(p.Y) <= world.MaxCoordinate):
		return sim.Pose{}, refuse(si.SpawnEntityResponseInvalidPose, "position (%g, %g) m", p.X, p.Y)
	}
	return sim.Pose{X: p.X, Y: p.Y, Theta: geom.Angle(geom.Vec{X: 1 - float64(2*(float64(q.Y*q.Y)+float64(q.Z*q.Z))), Y: 2 * (float64(q.W*q.Z) + float64(q.X*q.Y))})}, nil
}

// nodeName is what a robot must be called like to be a namespace.
var nodeName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,59}$`)

// admit puts a robot into the world and on the network, under another name if that is allowed and needed.
func (h *Host) admit(r *world.Robot, q *si.SpawnEntityRequest) *refusal {
	base := q.Name
	if base == "" && q.AllowRenaming {
		base = "epuck"
	}
	if !nodeName.MatchString(base) {
		return refuse(si.SpawnEntityResponseNameInvalid, "name %q: must be letters, digits and _, and begin with a letter", base)
	}
	r.Name = base
	for n := 1; h.taken(r.Name); n++ {
		if !q.AllowRenaming {
			return refuse(si.SpawnEntityResponseNameNotUnique, "there is a robot %q", r.Name)
		}
		r.Name = fmt.Sprint(base, "_", n)
	}
	if ns := strings.Trim(q.EntityNamespace, "/"); ns != "" && ns != r.Name {
		return refuse(si.SpawnEntityResponseNamespaceInvalid, "namespace %q: a robot's is its name, %q, or leave it empty", q.EntityNamespace, r.Name)
	}
	m, err := h.sim.Add(*r)
	switch {
	case errors.Is(err, sim.ErrOccupied):
		return refuse(si.SpawnEntityResponseInvalidPose, "%v", err)
	case err != nil:
		return refuse(si.ResultOperationFailed, "%v", err)
	}
	if err := h.robots.Add(m); err != nil {
		return refuse(si.ResultOperationFailed, "%v", errors.Join(err, h.sim.Remove(r.Name)))
	}
	return nil
}

func (h *Host) taken(name string) bool {
	for _, m := range h.sim.Members() {
		if m.Name() == name {
			return true
		}
	}
	return false
}

func (h *Host) remove(_ context.Context, q *si.DeleteEntityRequest) (*si.DeleteEntityResponse, error) {
	name := strings.TrimPrefix(q.Entity, "/")
	if !h.taken(name) {
		return &si.DeleteEntityResponse{Result: si.Result{Result: si.ResultNotFound, ErrorMessage: fmt.Sprintf("no robot %q", name)}}, nil
	}
	if err := errors.Join(h.robots.Remove(name), h.sim.Remove(name)); err != nil {
		m := &si.DeleteEntityResponse{Result: si.Result{Result: si.ResultOperationFailed, ErrorMessage: err.Error()}}
		return m, nil //nolint:nilerr // the response tells the error
	}
	return &si.DeleteEntityResponse{Result: si.Result{Result: si.ResultOK}}, nil
}

func (h *Host) list(_ context.Context, q *si.GetEntitiesRequest) (*si.GetEntitiesResponse, error) {
	f := &q.Filters
	m := &si.GetEntitiesResponse{Result: si.Result{Result: si.ResultOK}}
	if f.Bounds.Type != si.BoundsTypeEmpty || len(f.Tags.Tags) > 0 {
		m.Result = si.Result{Result: si.ResultFeatureUnsupported, ErrorMessage: "neither tags nor bounds are supported"}
		return m, nil
	}
	wanted, err := regexp.CompilePOSIX(f.Filter)
	if err != nil {
		m.Result = si.Result{Result: si.ResultOperationFailed, ErrorMessage: err.Error()}
		return m, nil //nolint:nilerr // the response tells the error
	}
	for _, c := range f.Categories {
		if c.Category == si.EntityCategoryCategoryRobot {
			f.Categories = nil
			break
		}
	}
	for _, robot := range h.sim.Members() {
		if len(f.Categories) == 0 && wanted.MatchString(robot.Name()) {
			m.Entities = append(m.Entities, robot.Name())
		}
	}
	return m, nil
}
