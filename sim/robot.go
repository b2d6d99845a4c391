// SPDX-License-Identifier: Apache-2.0

package sim

import (
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

// unit is what robots of all kinds have in common: where it was, what it may touch. The step that is under way may
// write a unit's fields from the one goroutine that moves its island; everything else holds the simulation's lock.
type unit struct {
	sim   *Simulation
	place int // among the units, in the order of the world file

	body  *physics.Body // nil: articulated
	inAir bool

	// One of them is there.
	robot   *Firmware
	agent   *Functional
	machine *Articulated

	sampled      geom.Pose // at the latest infrared cycle
	sampledInAir bool

	contacts []int32        `checkpoint:"-"` // units that it may touch before the crowd is sorted again
	meets    []int32        `checkpoint:"-"` // those of them that it may touch in the next cycles, in a dense world
	others   physics.Others `checkpoint:"-"`
	numbers  []int32        `checkpoint:"-"` // scratch
	trace    *trace         // nil: nothing is recorded

	// From here on what most steps don't need: the rest has a few lines of the cache.
	name       string
	key        uint64       // of the name, for the generators of those that hear it
	made       *world.Robot `checkpoint:"-"` // what it was made of
	self       Robot        `checkpoint:"-"`
	radius     float64      `checkpoint:"-"` // of the disc around its position that holds its solids, m
	maxWay     float64      `checkpoint:"-"` // more than it moves in an infrared cycle, m
	off        []Part       // what a functional or articulated robot does not carry
	collisions collisionCounter
	painted    bool // the LEDs show paint instead of what the robot commands
	paint      vmcu.LEDs

	rab transceiver
}

// newUnit makes the common part of a robot without a body.
func newUnit(s *Simulation, w *world.Robot, src noise.Source) unit {
	made := *w
	return unit{
		sim: s, name: w.Name, made: &made, key: noise.New(0).Named(w.Name).Uint64(0),
		rab: newTransceiver(src.Named("range and bearing")),
	}
}

// newEpuck makes the common part of an e-puck2.
func newEpuck(s *Simulation, w *world.Robot, src noise.Source) unit {
	u := newUnit(s, w, src)
	u.body = physics.NewBody(geom.Pose{X: w.Position[0], Y: w.Position[1], Theta: w.Yaw}, w.WheelDistance)
	u.radius = physics.BodyRadius
	u.sampled = u.body.Pose()
	return u
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
	return u.pose()
}

// epuckFrame is the frame that an e-puck2's pose is of.
const epuckFrame = "base_link"

// Outline implements Robot.
func (u *unit) Outline() (solids []geom.Shape, frame string) {
	return []geom.Shape{geom.NewDisc(geom.Vec{}, physics.BodyRadius, physics.BodyHeight)}, epuckFrame
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

// pose returns where the robot is.
func (u *unit) pose() geom.Pose {
	if u.body != nil {
		return u.body.Pose()
	}
	return u.machine.mechanism.Pose()
}

// position returns the place that u.radius is around, m.
func (u *unit) position() geom.Vec {
	if u.body != nil {
		return u.body.Position()
	}
	return u.machine.mechanism.Pose().Position()
}

// fits reports whether the robot, in the world or not yet, touches nothing.
func (u *unit) fits() bool {
	if u.machine != nil {
		return u.machine.fits()
	}
	at := u.body.Position()
	return u.sim.scene.Free(at, u.crowded(at))
}

// vary makes a robot differ from the drawing as the world file says.
func vary(body *physics.Body, eyes *physics.Eyes, inertia *physics.Inertia, w *world.Robot, dice noise.Source) {
	v := w.Variation
	if v.WheelRadii == (world.Radii{}) {
		v.WheelRadii = world.Radii{physics.WheelRadius, physics.WheelRadius}
	}
	if v.WheelRadii != (world.Radii{physics.WheelRadius, physics.WheelRadius}) || v.Slip != 0 {
		body.SetWheels(v.WheelRadii[0], v.WheelRadii[1], v.Slip, v.SlipLength, dice.Named("wheels"))
	}
	if v.Infrared != 0 {
		eyes.Vary(v.Infrared, dice.Named("infrared"))
	}
	if v.Inertial != 0 {
		inertia.Vary(v.Inertial, dice.Named("inertial"))
	}
}
