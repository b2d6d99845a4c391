// SPDX-License-Identifier: Apache-2.0

package articulated

import (
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Mechanism moves an [Robot] robot; package machine implements it. The world calls its methods with its lock
// held. It calls Advance of robots that can't touch each other at once, from different goroutines, else in the order
// of the world file. A mechanism keeps its state in fields, so that checkpoints contain it, and derives its
// generators from the source that its maker is given.
type Mechanism interface {
	// Pose is that of the frame that Frame names.
	Pose() geom.Pose
	// Frame is the name of the frame that the robot's pose is of.
	Frame() string
	// Twist is the speed forward, m/s, and the turning speed, rad/s.
	Twist() (v, omega float64)
	// Contact reports whether the robot touches something.
	Contact() bool
	// Place moves the robot to a pose.
	Place(p geom.Pose)
	// Outline appends the robot's solids, discs and boxes, where they are now: as many each time.
	Outline(dst []geom.Shape) []geom.Shape
	// MaxWay is more than the frame moves in a cycle, m.
	MaxWay() float64
	// Advance advances the robot by a cycle of [kernel.CycleTime].
	Advance()
	// Mass is the mass of the robot, kg; 0: it has no wheels, and nothing moves it.
	Mass() float64
	// Lost is the way that movable things, which the robot drove against, took from it in the latest cycle, m.
	Lost() geom.Vec
	// Yield moves the robot at the end of a cycle, m: by the part of the lost way that the things it pushes allow, or
	// by the way that it is pushed.
	Yield(way geom.Vec)
	// Gripper returns where the robot's gripper is, how far from there (m) it holds something, and whether it is
	// closed: false of a robot without one.
	Gripper() (at geom.Vec, reach float64, closed bool)
	// Battery is the robot's battery, the same at each call, which the world advances; nil: the robot needs none.
	Battery() *physics.Battery
	// Still reports whether the robot does not move until a method is called that changes that.
	Still() bool
	// OverrideMotors changes the speed forward of the wheels.
	OverrideMotors(o plant.MotorOverride)
	// LEDs returns what the LEDs show that are named as those of an e-puck2.
	LEDs() vmcu.LEDs
	// Parts returns the names of all devices, SetPart puts a device on or off.
	Parts() []world.Part
	SetPart(p world.Part, on bool)
	// AppendState appends to b what the trace contains of the robot in addition to its pose.
	AppendState(b []byte) []byte
}

// Wheeled is a mechanism that drives with a row of wheels on the left and one on the right.
type Wheeled interface {
	// WheelState returns the mean angles of both rows, rad, and their mean speeds, rad/s; zeros without wheels.
	WheelState() (angles, speeds [2]float64)
}

// Maker makes the mechanism of a robot of the world file, which sees the world through its environment.
type Maker func(w *world.Robot, env *Environment, src noise.Source) (Mechanism, error)

// Environment is the world as a [Mechanism] meets and measures it. Its methods are for the time in which the world calls
// the mechanism, or [Robot.Do] does; then they allocate nothing that stays.
type Environment struct {
	*plant.Environment
	own *dynamics
}

// mechanical is a plant that a mechanism moves.
type mechanical interface{ moved() Mechanism }

// Mechanisms calls f with those of all other articulated robots, in the order of the world file.
func (x *Environment) Mechanisms(f func(Mechanism)) {
	for _, u := range x.own.World().Units() {
		if m, ok := u.Plant().(mechanical); ok && u != &x.own.Unit {
			f(m.moved())
		}
	}
}
