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

// person is a human as clients know them.
type person struct {
	name, kind string
	here       bool
	depart     time.Duration
	wanted     sim.Person // until it is there
	body       sim.Person // at the end of the latest step, once it is there
	stages     []stage
	staged     bool // it has a plan, and goes when that is done
	colour     wire.Colour
	notes      map[string]string
	still      time.Duration
}

// stage is a part of a person's plan.
type stage struct {
	walks bool
	to    float64       // along the pseudo edge, m
	speed float64       // m/s; not positive: the person's own
	wait  time.Duration // stands for so long
	begun bool
	until time.Duration
}

// human returns the person of a name.
func (w *state) human(name string) (*person, error) {
	for _, p := range w.persons {
		if p.name == name {
			return p, nil
		}
	}
	return nil, refuse("Person '%s' is not known", name)
}

// admit adds a person to the world if there is space.
func (w *state) admit(p *person) {
	p.wanted.Name = p.name
	if err := w.sim.Admit(p.wanted); err != nil {
		if !errors.Is(err, sim.ErrOccupied) {
			w.cfg.Logger.Warn("TraCI person can't come", "person", p.name, "error", err)
		}
		return // it waits
	}
	p.here = true
	w.fresh.departedPersons = append(w.fresh.departedPersons, p.name)
	w.findPersons()
}

// findPersons asks where all persons are.
func (w *state) findPersons() {
	all := w.sim.Persons()
	for _, p := range w.persons {
		if i := slices.IndexFunc(all, func(b sim.Person) bool { return b.Name == p.name }); i >= 0 {
			p.body = all[i]
		}
	}
}

// stroll advances the plans of all persons, before each tick.
func (w *state) stroll() {
	if len(w.persons) == 0 {
		return
	}
	w.findPersons()
	for _, p := range slices.Clone(w.persons) {
		if !p.here {
			continue
		}
		if p.still += tick; p.body.Walking {
			p.still = 0
		}
		if p.staged {
			w.proceed(p)
		}
	}
}

// proceed begins the next stage of a person's plan if the one before has ended; after the last the person goes.
func (w *state) proceed(p *person) {
	if len(p.stages) == 0 {
		_ = w.removePerson(p) // it is there
		return
	}
	s := &p.stages[0]
	switch {
	case !s.begun:
		s.begun, s.until = true, w.now+s.wait
		if s.walks {
			_ = w.sim.Guide(p.name, func(b *sim.Person) { // refused for what can't be: the person stays
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

// guide changes a person, there or not yet.
func (w *state) guide(p *person, f func(b *sim.Person)) error {
	if !p.here {
		f(&p.wanted)
		return nil
	}
	err := w.sim.Guide(p.name, f)
	w.findPersons()
	return rejected(err)
}

// removePerson lets a person go.
func (w *state) removePerson(p *person) error {
	w.persons = slices.DeleteFunc(w.persons, func(o *person) bool { return o == p })
	if !p.here {
		return nil
	}
	w.fresh.arrivedPersons = append(w.fresh.arrivedPersons, p.name)
	return rejected(w.sim.Dismiss(p.name))
}

// onEdge returns the place at a way along the pseudo edge: from west to east through the middle of the world.
func (w *state) onEdge(pos float64) geom.Vec {
	return geom.Vec{X: w.bounds[0][0] + pos, Y: (w.bounds[0][1] + w.bounds[1][1]) / 2}
}
