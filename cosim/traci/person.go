// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"errors"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// person is a pedestrian of the world, as clients see it.
type person struct {
	name, kind  string
	inserted    bool
	depart      time.Duration
	initial     sim.Person // its state when it is inserted
	body        sim.Person // at the end of the latest step, once it is inserted
	stages      []stage
	planned     bool // it has a plan, and is removed after its last stage
	colour      wire.Colour
	notes       map[string]string
	waitingTime time.Duration
}

// stage is a part of a person's plan.
type stage struct {
	walks bool
	to    float64       // along the pseudo edge, m
	speed float64       // m/s; not positive: the person's own
	wait  time.Duration // if it does not walk
	begun bool
	until time.Duration
}

// findPerson returns the person with a name.
func (w *state) findPerson(name string) (*person, error) {
	for _, p := range w.persons {
		if p.name == name {
			return p, nil
		}
	}
	return nil, refuse("Person '%s' is not known", name)
}

// insert adds a person to the world if there is space.
func (w *state) insert(p *person) {
	p.initial.Name = p.name
	if err := w.sim.Admit(p.initial); err != nil {
		if !errors.Is(err, sim.ErrOccupied) {
			w.cfg.Logger.Warn("TraCI person can't come", "person", p.name, "error", err)
		}
		return // tried again before the next tick
	}
	p.inserted = true
	w.fresh.departedPersons = append(w.fresh.departedPersons, p.name)
	w.findPersons()
}

// findPersons reads the states of all persons from the simulation.
func (w *state) findPersons() {
	all := w.sim.Persons()
	for _, p := range w.persons {
		if i := slices.IndexFunc(all, func(b sim.Person) bool { return b.Name == p.name }); i >= 0 {
			p.body = all[i]
		}
	}
}

// advancePlans advances the plans of all persons, before each tick.
func (w *state) advancePlans() {
	if len(w.persons) == 0 {
		return
	}
	w.findPersons()
	for _, p := range slices.Clone(w.persons) {
		if !p.inserted {
			continue
		}
		if p.waitingTime += tick; p.body.Walking {
			p.waitingTime = 0
		}
		if p.planned {
			w.proceed(p)
		}
	}
}

// proceed begins the next stage of a person's plan if the one before has ended; after the last the person is removed.
func (w *state) proceed(p *person) {
	if len(p.stages) == 0 {
		_ = w.removePerson(p) // its plan has ended
		return
	}
	s := &p.stages[0]
	switch {
	case !s.begun:
		s.begun, s.until = true, w.now+s.wait
		if s.walks {
			_ = w.sim.Guide(p.name, func(b *sim.Person) { // a position outside of the world is refused: the person stays
				b.Path = []geom.Vec{{X: w.bounds[0][0] + s.to, Y: b.Pose.Y}}
				if s.speed > 0 {
					b.Speed = s.speed
				}
			})
			w.findPersons()
		}
	case s.walks && len(p.body.Path) == 0, !s.walks && w.now > s.until:
		p.stages = p.stages[1:]
		w.proceed(p)
	}
}

// guide changes a person, inserted or not.
func (w *state) guide(p *person, f func(b *sim.Person)) error {
	if !p.inserted {
		f(&p.initial)
		return nil
	}
	err := w.sim.Guide(p.name, f)
	w.findPersons()
	return rejected(err)
}

// removePerson removes a person from the world.
func (w *state) removePerson(p *person) error {
	w.persons = slices.DeleteFunc(w.persons, func(o *person) bool { return o == p })
	if !p.inserted {
		return nil
	}
	w.fresh.arrivedPersons = append(w.fresh.arrivedPersons, p.name)
	return rejected(w.sim.Dismiss(p.name))
}

// onEdge returns the position at a distance along the pseudo edge (m): from west to east through the middle of the world.
func (w *state) onEdge(pos float64) geom.Vec {
	return geom.Vec{X: w.bounds[0][0] + pos, Y: (w.bounds[0][1] + w.bounds[1][1]) / 2}
}
