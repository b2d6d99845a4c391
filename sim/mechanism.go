// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// CycleTime is the period in which articulated robots and those of the functional level move.
const CycleTime = vmcu.SamplePeriod

// Mechanism moves an [Articulated] robot; package machine implements it. The world calls its methods with its lock
// held. It calls Advance of robots that can't touch each other at once, from different goroutines, else in the order
// of the world file. A mechanism keeps its state in fields, so that checkpoints contain it, and derives its
// generators from the source that its maker is given.
type Mechanism interface {
	// Pose is that of the frame that Frame names.
	Pose() Pose
	// Frame is the name of the frame that the robot's pose is of.
	Frame() string
	// Twist is the speed forward, m/s, and the turning speed, rad/s.
	Twist() (v, omega float64)
	// Contacts counts how often the robot has begun to touch something, and reports whether it touches something.
	Contacts() (count uint64, touching bool)
	// Place moves the robot to a pose.
	Place(p Pose)
	// Outline appends the robot's solids, discs and boxes, where they are now: as many each time.
	Outline(dst []geom.Shape) []geom.Shape
	// MaxWay is more than the frame moves in a cycle, m.
	MaxWay() float64
	// Advance lets a cycle of [CycleTime] pass.
	Advance()
	// Still reports whether the robot does not move until a method is called that changes that.
	Still() bool
	// OverrideMotors changes the speed forward of the wheels.
	OverrideMotors(o MotorOverride)
	// LEDs returns what the LEDs show that are named as those of an e-puck2.
	LEDs() vmcu.LEDs
	// Parts returns the names of all devices, SetPart puts a device on or off.
	Parts() []Part
	SetPart(p Part, on bool)
	// AppendState appends to b what the trace contains of the robot beside its pose.
	AppendState(b []byte) []byte
}

// MechanismMaker makes the mechanism of a robot of the world file, which sees the world through its environment.
type MechanismMaker func(w *world.Robot, env *Environment, src noise.Source) (Mechanism, error)
