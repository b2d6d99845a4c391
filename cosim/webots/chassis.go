// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/robots/urdf"
)

// chassis is what a robot is of its kind, and what its devices measure and move.
type chassis interface {
	sim.Robot
	// occupant is the robot in the world.
	occupant() sim.Robot
	// model is the model name that controllers receive.
	model() string
	// build makes the devices of b, which has the robot itself already.
	build(b *body)
	// begin makes the robot ready for b.
	begin(b *body) error
	// act does what the motors and LEDs want.
	act(b *body)
	// hold advances the motors, before the world advances by a tick.
	hold(b *body)
	// sense runs f while the world is stopped; in it devices measure.
	sense(f func())
	// charge is what is in the battery, J.
	charge() float64
	// urdf is a description with a prefix before the names of its links and joints.
	urdf(prefix string) string
	// halt stops the robot.
	halt(b *body)
}

// controllable is a robot that runs a controller itself and has its sensors and actuators as values: an e-puck2 of the
// functional level.
type controllable interface {
	sim.Robot
	SetController(c sim.Controller, period time.Duration) error
	Do(f func(*sim.Control))
	// Picture draws what the camera shows now, see sim.Functional.Picture.
	Picture(dst []byte) []byte
}

// mechanical is a robot that a mechanism moves.
type mechanical interface {
	sim.Robot
	Mechanism() sim.Mechanism
	Do(f func(sim.Mechanism))
}

// machineOf returns the machine of a robot by a description, nil if it has none.
func machineOf(o sim.Robot) (mechanical, *machine.Machine) {
	r, ok := o.(mechanical)
	if !ok {
		return nil, nil
	}
	m, _ := r.Mechanism().(*machine.Machine)
	return r, m
}

// drivable lists those that may have controllers: e-puck2 robots of the functional level, and those by descriptions.
func drivable(s *sim.Simulation) (all []sim.Robot) {
	for _, o := range s.Robots() {
		_, can := o.(controllable)
		if _, m := machineOf(o); can || m != nil {
			all = append(all, o)
		}
	}
	return all
}

// newChassis makes the chassis of one of drivable.
func newChassis(o sim.Robot) chassis {
	if r, ok := o.(controllable); ok {
		return &epuck{controllable: r}
	}
	if r, m := machineOf(o); m != nil {
		return newDescribed(r, m)
	}
	return nil
}

// epuck is a built-in e-puck2.
type epuck struct {
	controllable
	wheels [2]*motor
	lamps  vmcu.LEDs
	senses senses
}

// occupant implements chassis, as the methods below do.
func (e *epuck) occupant() sim.Robot { return e.controllable }

func (e *epuck) model() string { return "GCtronic e-puck2" }

// urdf is that of the e-puck2 of the library.
func (e *epuck) urdf(prefix string) string {
	desc, err := library.Named("epuck2")
	if err != nil {
		return ""
	}
	return string(urdf.Write(desc.Prefixed(prefix)))
}

func (e *epuck) begin(*body) error {
	e.Do(func(c *sim.Control) { // the wheels stay where they are
		angle, _ := c.Wheels()
		for i, m := range e.wheels {
			m.target = angle[i]
		}
	})
	return e.SetController(e, tick)
}

func (e *epuck) act(*body) {
	e.Do(func(c *sim.Control) {
		e.Step(c)
		c.SetLEDs(e.lamps)
	})
}

// hold is done by Step.
func (e *epuck) hold(*body) {}

// Step implements sim.Controller: it moves the motors towards their targets.
func (e *epuck) Step(c *sim.Control) {
	angle, _ := c.Wheels()
	c.SetWheels(e.wheels[0].speed(angle[0]), e.wheels[1].speed(angle[1]))
}

func (e *epuck) sense(f func()) {
	e.Do(func(c *sim.Control) {
		e.senses = senses{c: c}
		f()
		e.senses = senses{}
	})
}

// nominal is the battery's voltage that its charge is converted with, V.
const nominal = 3.7

func (e *epuck) charge() float64 { return e.senses.c.Charge() * nominal }

func (e *epuck) halt(*body) {
	_ = e.SetController(nil, 0) // no period, no error
	e.Do(func(c *sim.Control) { c.SetWheels(0, 0) })
}
