// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/vcamera"
)

// plant is a robot as the world moves and measures it: all that differs between the levels. [unit] implements what only
// some levels need, [epuck] what the e-puck2 does alike at both. The world calls its methods with its lock held, and
// during a step from the one goroutine that moves the robot's island.
type plant interface {
	Robot

	// pose returns the pose of the frame that Outline names.
	pose() geom.Pose
	// put places the robot on the floor and at rest at a pose. It returns ErrOccupied and changes nothing if something
	// is there.
	put(p geom.Pose) error
	// fits reports whether the robot touches nothing; it may not be in the world yet.
	fits() bool
	// solids returns the robot's solids where they are now. One that the scene does not have is written to scratch.
	solids(scratch *[1]geom.Shape) []geom.Shape
	// appendTo appends the robot to what a body may touch, or an infrared sensor may see.
	appendTo(o *physics.Others)
	// overlaps reports whether a disc of a radius (m) at a place overlaps the robot.
	overlaps(at geom.Vec, radius float64) bool
	// covers reports whether the robot, where it was sampled, is in the first d metres of a ray at the sensors' height.
	covers(at, dir geom.Vec, d float64) bool
	// draw adds what a camera sees of the robot.
	draw(to *vcamera.Scene)

	// stepMotors, stepBody and stepSensors make the physics step that ends then of a robot that moves in each: its
	// motors, its body after all motors of its island, its motion sensors and battery after all bodies.
	stepMotors(end time.Duration)
	stepBody()
	stepSensors()
	// move ends an infrared cycle for the body: it moves by the cycle, unless it has moved in each physics step. It
	// returns the pose, and whether the robot has touched something in the cycle.
	move() (at geom.Pose, touched bool)
	// sampleSensors ends an infrared cycle for the sensors of a robot that moves in each physics step. What they see is
	// computed when it is asked for, or by sense, before the world is changed.
	sampleSensors(cycle int64)
	sense()
	// think runs the robot's controller, if that is due.
	think()

	// still reports whether the robot neither moves nor is about to. settled reports in addition whether its body is at
	// rest after its motors; waking whether it may begin to move without a command.
	still() bool
	settled() bool
	waking() bool

	// mass returns the robot's mass, kg; 0: nothing moves it.
	mass() float64
	// lost returns the way that movable things have taken from the robot in this cycle, and wayMade the way that it has
	// gone since the cycle began, m.
	lost() geom.Vec
	wayMade() geom.Vec
	// momentum returns the velocity with which the robot enters a cycle in which it meets movable things, m/s: see
	// [physics.Body.Momentum].
	momentum(otherwise geom.Vec) geom.Vec
	// giveWay ends a cycle in which the robot may have been pushing: the centre of its first solid is at a place now,
	// with a velocity, m/s. endPush ends one in which it met no movable thing.
	giveWay(at, velocity geom.Vec)
	endPush()

	// overrideMotors changes the speed that the motors are commanded.
	overrideMotors(o MotorOverride)
	// commandedLEDs returns what the robot's own program makes the LEDs show.
	commandedLEDs() vmcu.LEDs
	// chargingChanged is called when charging at a station begins or ends.
	chargingChanged()

	// onEnter is called when the robot has been added to the world, onLeave when it has been removed, and shutDown
	// after that without the lock.
	onEnter()
	onLeave()
	shutDown()
	// appendState appends what the trace contains of the robot in addition to its pose.
	appendState(b []byte) []byte
	// saveController returns the state of the robot's controller, nil if it does not write one, and whether the robot
	// has a controller. loadController asks maker for a controller that continues from that state, and reports whether
	// the robot has one then.
	saveController() (state []byte, controlled bool, err error)
	loadController(state []byte, maker func(*Functional) Controller) (controlled bool, err error)
}

// timing is when a robot moves in an infrared cycle. The order is part of what repeats in equal runs.
type timing uint8

const (
	// eachStep: motors, body and motion sensors make each physics step of the cycle.
	eachStep timing = iota
	// eachCycle: the robot makes the whole cycle at its end.
	eachCycle
	// afterOthers: as eachCycle, after those.
	afterOthers
)

// The methods that only some levels need.

func (u *unit) stepMotors(time.Duration)              {}
func (u *unit) stepBody()                             {}
func (u *unit) stepSensors()                          {}
func (u *unit) sampleSensors(int64)                   {}
func (u *unit) sense()                                {}
func (u *unit) think()                                {}
func (u *unit) settled() bool                         { return true }
func (u *unit) waking() bool                          { return false }
func (u *unit) chargingChanged()                      {}
func (u *unit) onEnter()                              {}
func (u *unit) onLeave()                              {}
func (u *unit) shutDown()                             {}
func (u *unit) appendState(b []byte) []byte           { return b }
func (u *unit) saveController() ([]byte, bool, error) { return nil, false, nil }
func (u *unit) loadController([]byte, func(*Functional) Controller) (bool, error) {
	return false, nil
}
