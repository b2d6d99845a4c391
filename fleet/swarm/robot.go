// SPDX-License-Identifier: Apache-2.0

package swarm

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

// Controller controls a robot. Step is called once per control step, for several robots concurrently; a controller
// belongs to one robot and shares no mutable state with others, so that runs are reproducible.
type Controller interface {
	Step(r Robot)
}

// Robot is a robot's sensors and actuators during a control step.
type Robot interface {
	// Name returns the robot's name in the world.
	Name() string
	// Time returns the age of the world.
	Time() time.Duration
	// Proximity returns the infrared sensors ps0 to ps7, clockwise from the front right: counts of 0 (nothing within 8
	// cm) to 4095 (contact).
	Proximity() [8]float64
	// Ground returns the ground sensors left, centre and right: counts of 0 (black) to 1023.
	Ground() [3]float64
	// Wheels returns the angles (rad) that the left and the right wheel have turned, and their speeds (rad/s).
	Wheels() (angle, speed [2]float64)
	// SetWheels sets the speeds of the wheels, rad/s, at most 6.91.
	SetWheels(left, right float64)
	// SetLEDs sets the LEDs.
	SetLEDs(l vmcu.LEDs)
	// Say sends at most sim.MaxMessage bytes to all robots in range at the next exchange; exchanges are every 100 ms.
	Say(payload []byte) error
	// Heard returns the messages of the latest exchange with their ranges and bearings.
	Heard() []sim.Heard
	// Random returns a number of the robot's own generator, uniform in [0, 1).
	Random() float64
}

var _ Robot = (*sim.Control)(nil)

// stepper adapts a Controller to sim.Controller.
type stepper struct{ c Controller }

// Step implements sim.Controller.
func (s stepper) Step(c *sim.Control) { s.c.Step(c) }
