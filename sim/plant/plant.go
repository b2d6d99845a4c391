// SPDX-License-Identifier: Apache-2.0

// Package plant has what robots of all levels have in common, and the world that they share.
//
//	kernel   time, order, goroutines         ─┐
//	scene    things, persons, grid of places  ├─ World ◄── Unit ◄── a level: functional, firmware, articulated
//	messages between robots, batteries       ─┘
//
// A [Plant] is a robot as its world moves and measures it: a level implements it, and embeds a [Unit], which has what
// all levels do alike. A world never asks which level a robot has. What users do with a robot of any level are the
// methods of [Robot], which each level's own type embeds. [Environment] is the world as a robot meets it.
//
// Every call but those of Robot is made with the world's lock held, or, during a step, by the one goroutine that moves
// the robot's island.
package plant

import (
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// Plant is a robot as the world moves and measures it: all that differs between the levels. [Unit] implements most of
// kernel.Body and scene.Robot, and what only some levels need. A plant that moves in each physics step implements
// kernel.Stepper, too.
type Plant interface {
	kernel.Body
	scene.Robot

	// Pose returns the pose of the frame that the robot's pose is of.
	Pose() geom.Pose
	// Put places the robot on the floor and at rest at a pose. It returns ErrOccupied and changes nothing if something
	// is there.
	Put(p geom.Pose) error
	// Return puts the robot back to a pose of this cycle.
	Return(p geom.Pose)
	// Still reports whether the robot neither moves nor is about to.
	Still() bool
	// AppendTo appends the robot to what a body may touch, or an infrared sensor may see.
	AppendTo(o *physics.Others)
	// Covers reports whether the robot, where it was sampled, is in the first d metres of a ray at the sensors' height.
	Covers(at, dir geom.Vec, d float64) bool
	// Draw adds what a camera sees of the robot.
	Draw(to *vcamera.Scene)
	// Outline appends the solids that the scene gets of the robot, where they are now: none of a disc of
	// physics.BodyRadius, else as many each time.
	Outline(dst []geom.Shape) []geom.Shape
	// GiveWayTo ends a cycle in which the robot may have been pushing: see scene.Robot.
	GiveWayTo(at, velocity geom.Vec)
	// Gripper returns where the robot's gripper is, how far from there (m) it holds something, and whether it is
	// closed: false of a robot without one.
	Gripper() (at geom.Vec, reach float64, closed bool)

	// OverrideMotors changes the speed that the motors are commanded.
	OverrideMotors(o MotorOverride)
	// CommandedLEDs returns what the robot's own program makes the LEDs show.
	CommandedLEDs() vmcu.LEDs
	// ChargingChanged is called when charging at a station begins or ends.
	ChargingChanged()
	// OnLeave is called when the robot has been removed from the world, and Close after that without the lock.
	OnLeave()
	Close()
	// AppendState appends what the trace contains of the robot in addition to its pose.
	AppendState(b []byte) []byte
}

// The methods that only some levels need.

// Think implements kernel.Body: no controller.
func (u *Unit) Think() {}

// Outline implements Plant: a disc.
func (u *Unit) Outline(dst []geom.Shape) []geom.Shape { return dst }

// Gripper implements Plant: none.
func (u *Unit) Gripper() (at geom.Vec, reach float64, closed bool) { return geom.Vec{}, 0, false }

// ChargingChanged implements Plant.
func (u *Unit) ChargingChanged() {}

// OnLeave implements Plant.
func (u *Unit) OnLeave() {}

// Close implements Plant.
func (u *Unit) Close() {}

// AppendState implements Plant: nothing.
func (u *Unit) AppendState(b []byte) []byte { return b }
