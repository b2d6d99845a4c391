// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Robot is a robot of any kind in a simulation: a [*Firmware], a [*Functional] or an [*Articulated], which have methods
// for what only they have. All kinds share world, contacts, messages, trace and checkpoints.
type Robot interface {
	// Name returns the robot's name in the world file.
	Name() string
	// Level returns the robot's level: one of world.Levels, or world.LevelDescribed for an articulated robot.
	Level() string
	// Model returns the name of the robot's description; it is empty for an e-puck2 of the two built-in levels.
	Model() string
	// Pose advances the world to the clock's time and returns the pose of the robot's frame.
	Pose() Pose
	// GroundTruth advances the world to the clock's time and returns the robot's true state.
	GroundTruth() GroundTruth
	// Outline returns the robot's solids around its frame, and that frame's name.
	Outline() (solids []geom.Shape, frame string)
	// Place puts the robot on the floor at a pose. It returns ErrRange for an invalid pose, and ErrOccupied and changes
	// nothing if something is there.
	Place(pose Pose) error
	// PickUp takes the robot off the floor: its wheels spin freely, it sees no obstacles and is not seen.
	PickUp()
	// OverrideMotors changes the speed forward that the robot's motors are commanded, until the next call.
	OverrideMotors(o MotorOverride) error
	// OverrideLEDs makes the LEDs show l instead of what the robot commands, or with on false what it commands again.
	OverrideLEDs(l vmcu.LEDs, on bool)
	// Parts returns the equipment that the robot carries now. RemovePart takes one off while the robot runs, AddPart
	// puts one on; both return ErrNoPart for a part that this robot can't have.
	Parts() []Part
	AddPart(p Part) error
	RemovePart(p Part) error
	// Say, Listen and Hear are the messages between robots by infrared (range and bearing).
	Say(payload []byte) error
	Listen(on bool)
	Hear(dst []Heard) ([]Heard, time.Duration)
	// Record adds something to the robot's part of the trace.
	Record(topic string, message []byte)
	// Cost returns what the robot's work costs its processor, and SetComputer sets what the computer takes of the
	// battery above its current at rest, A.
	Cost() world.Cost
	SetComputer(current float64)

	shared() *unit
}

var (
	_ Robot = (*Firmware)(nil)
	_ Robot = (*Functional)(nil)
	_ Robot = (*Articulated)(nil)
)

// unit is what robots of all levels have in common: where the robot was, what it may touch. The step that is under way
// may write a unit's fields from the one goroutine that moves its island; everything else holds the simulation's lock.
type unit struct {
	sim   *Simulation
	place int   // among the units, in the order of the world file
	plant plant // the robot

	timing timing `checkpoint:"-"`
	disc   bool   `checkpoint:"-"` // it is a disc of physics.BodyRadius; else the scene has its solids
	inAir  bool

	sampled      geom.Pose // at the latest infrared cycle
	sampledInAir bool

	contacts []int32          `checkpoint:"-"` // units that it may touch before the crowd is sorted again
	meets    []int32          `checkpoint:"-"` // those of them that it may touch in the next cycles, in a dense world
	others   physics.Others   `checkpoint:"-"`
	numbers  []int32          `checkpoint:"-"` // scratch
	trace    *trace           // nil: nothing is recorded
	battery  *physics.Battery // nil: it needs none

	// From here on what most steps don't need: the rest has a few lines of the cache.
	name       string
	key        uint64       // of the name, for the generators of those that hear it
	made       *world.Robot `checkpoint:"-"` // what it was made of
	radius     float64      `checkpoint:"-"` // of the disc around its position that holds its solids, m
	maxWay     float64      `checkpoint:"-"` // more than it moves in an infrared cycle, m
	meeting    float64      `checkpoint:"-"` // how far it is at the most from what it may push in an infrared cycle, m
	off        []Part       // what a functional or articulated robot does not carry
	collisions collisionCounter
	painted    bool // the LEDs show paint instead of what the robot commands
	paint      vmcu.LEDs

	rab transceiver
}

// newUnit makes the common part of a robot.
func newUnit(s *Simulation, w *world.Robot, src noise.Source) unit {
	made := *w
	return unit{
		sim: s, name: w.Name, made: &made, key: noise.New(0).Named(w.Name).Uint64(0),
		rab: newTransceiver(src.Named("range and bearing")),
	}
}

func (u *unit) shared() *unit { return u }

// Name implements Robot.
func (u *unit) Name() string { return u.name }

// Model implements Robot.
func (u *unit) Model() string { return u.made.Model }

// Cost implements Robot.
func (u *unit) Cost() world.Cost { return u.made.Cost }

// Pose implements Robot.
func (u *unit) Pose() Pose {
	u.sim.mu.Lock()
	defer u.sim.mu.Unlock()
	u.sim.catchUp()
	return u.plant.pose()
}

// Place implements Robot.
func (u *unit) Place(pose Pose) error {
	if err := finite(pose); err != nil {
		return err
	}
	var err error
	u.act("placed", pose, func() {
		u.sim.settle()
		if err = u.plant.put(pose); err != nil {
			return
		}
		u.inAir = false
		u.sim.scattered.Store(true)
		u.dock()
	})
	return err
}

// PickUp implements Robot.
func (u *unit) PickUp() {
	u.act("picked up", nil, func() {
		u.sim.settle()
		u.inAir = true
		u.sim.scattered.Store(true)
		u.dock()
	})
}

// OverrideLEDs implements Robot.
func (u *unit) OverrideLEDs(l vmcu.LEDs, on bool) {
	u.act("LED override", l, func() { u.paint, u.painted = l, on })
}

// act advances the world to the clock's time, runs f and logs what was done.
func (u *unit) act(what string, value any, f func()) {
	s := u.sim
	s.mu.Lock()
	s.catchUp()
	f()
	s.mu.Unlock()
	if s.opts.Logger != nil {
		s.opts.Logger.Debug("robot "+what, "robot", u.name, "value", value)
	}
}

// position returns the place that u.radius is around, m.
func (u *unit) position() geom.Vec { return u.plant.pose().Position() }

// leds returns what the robot's LEDs show.
func (u *unit) leds() vmcu.LEDs {
	switch {
	case u.painted:
		return u.paint
	case u.dead():
		return vmcu.LEDs{}
	}
	return u.plant.commandedLEDs()
}

// dead reports whether the robot has no power.
func (u *unit) dead() bool { return u.battery != nil && u.battery.Dead() }

// doesNotFit is the error of a robot that does not fit at a pose that it would be moved to.
func (u *unit) doesNotFit(p geom.Pose) error {
	return fmt.Errorf("robot %q to (%g, %g) m: %w", u.name, p.X, p.Y, u.sim.placementError(p.Position(), u.radius))
}
