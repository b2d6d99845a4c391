// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// state is the world as clients know it. The goroutine that runs the world alone uses it.
type state struct {
	cfg    *Config
	sim    *sim.Simulation
	edge   string // the pseudo edge: the world's name
	bounds [2]wire.Point
	now    time.Duration

	robots   []*robot // in the order in which they came
	byName   map[string]*robot
	persons  []*person
	drawings drawings
	routes   []route
	notes    sharedNotes
	net      *laneNet // nil: the world has no network
	domains  [16]domain

	fresh    events // that clients have not been notified of
	departed []string
}

// newState takes the world as it is.
func newState(cfg *Config) *state {
	w := &state{
		cfg: cfg, sim: cfg.Simulation, edge: cfg.World.Name, byName: make(map[string]*robot),
		notes: sharedNotes{},
	}
	w.drawings = drawings{sim: w.sim, notes: w.notes}
	if w.edge == "" {
		w.edge = "world"
	}
	w.bounds = boundsOf(cfg.World, cfg.Simulation)
	w.routes = []route{{w.edge, []string{w.edge}}}
	w.domains = w.newDomains()
	if cfg.Network != nil {
		w.net = newLaneNet(cfg.Network, w)
		w.net.domains(&w.domains)
		w.bounds, w.routes = w.net.bounds(), nil
	}
	for _, m := range w.sim.Robots() {
		w.know(m)
	}
	return w
}

// all returns the first notification of a client that connects now: nothing before the first step, then all robots that
// are there.
func (w *state) all() (e events) {
	e.departed = slices.Clone(w.departed)
	for _, p := range w.persons {
		if p.inserted {
			e.departedPersons = append(e.departedPersons, p.name)
		}
	}
	return e
}

// step advances by a step: vehicles that are due depart, all move, and the events are recorded.
func (w *state) step(ctx context.Context, d time.Duration, to func(age time.Duration) error) error {
	if err := w.enter(); err != nil {
		return err
	}
	for end := w.now + d; w.now < end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.now += tick
		w.slow()
		w.advancePlans()
		w.net.advance(w.now)
		if err := w.net.drive(w.now); err != nil {
			return err
		}
		if err := to(w.now); err != nil {
			return err
		}
	}
	w.sync()
	w.measure(d)
	w.net.locate()
	return nil
}

// enter adds the robots and persons of clients to the world for which there is space.
func (w *state) enter() error {
	for _, r := range w.robots {
		if r.member != nil {
			continue
		}
		if err := w.spawn(r); err != nil {
			return err
		}
	}
	for _, p := range w.persons {
		if !p.inserted && w.now >= p.depart {
			w.insert(p)
		}
	}
	return nil
}

// sync takes notice of robots that came or went otherwise than by a client.
func (w *state) sync() {
	here := make(map[string]bool, len(w.robots))
	for _, m := range w.sim.Robots() {
		here[m.Name()] = true
		r := w.byName[m.Name()]
		if r == nil {
			r = w.know(m)
		}
		r.member = m
		if !r.departed {
			r.departed = true
			w.departed = append(w.departed, r.name)
			w.fresh.departed = append(w.fresh.departed, r.name)
		}
	}
	for _, r := range slices.Clone(w.robots) {
		if r.member != nil && !here[r.name] {
			w.forget(r)
		}
	}
}

// know takes in a robot that is there.
func (w *state) know(m sim.Robot) *robot {
	r := &robot{name: m.Name(), kind: cmp.Or(m.Model(), modelName), size: sizeOf(m), route: w.edge, member: m, last: m.GroundTruth()}
	if w.net != nil {
		r.route = ""
	}
	w.robots = append(w.robots, r)
	w.byName[r.name] = r
	return r
}

// forget takes out a robot that is gone.
func (w *state) forget(r *robot) {
	w.robots = slices.DeleteFunc(w.robots, func(o *robot) bool { return o == r })
	w.departed = slices.DeleteFunc(w.departed, func(name string) bool { return name == r.name })
	delete(w.byName, r.name)
	w.net.leave(r)
	if r.departed {
		w.fresh.arrived = append(w.fresh.arrived, r.name)
	}
}

// boundsOf returns the corners of the world: its arena, or the bounds of its objects plus a metre.
func boundsOf(w *world.World, s *sim.Simulation) [2]wire.Point {
	low, high := geom.Vec{X: math.Inf(1), Y: math.Inf(1)}, geom.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	add := func(p geom.Vec, margin float64) {
		low.X, low.Y = min(low.X, p.X-margin), min(low.Y, p.Y-margin)
		high.X, high.Y = max(high.X, p.X+margin), max(high.Y, p.Y+margin)
	}
	for _, t := range s.Things() {
		for _, c := range t.Shape.Outline(discSides) {
			add(c, 0)
		}
	}
	if w.Arena == nil {
		for _, r := range w.Robots {
			add(geom.Vec{X: r.Position[0], Y: r.Position[1]}, 1)
		}
	}
	return [2]wire.Point{{low.X, low.Y}, {high.X, high.Y}}
}

// rejected makes an answer of an error of the world.
func rejected(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return refuse("%v", err)
}
