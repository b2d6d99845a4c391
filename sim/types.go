// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"github.com/epuck-ros2/epuck-driver/sim/articulated"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/firmware"
	"github.com/epuck-ros2/epuck-driver/sim/functional"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// World is the description of a world; see package sim/world.
type World = world.World

// Pose is a position (m) and heading (rad) in the world.
type Pose = geom.Pose

// Part names something that can be taken off a robot; see package sim/world.
type Part = world.Part

// Equipment is what an e-puck2 carries; see package sim/world.
type Equipment = world.Equipment

// The robots of each level, and what users have of them.
type (
	// Firmware is an e-puck2 with virtual chips; see package sim/firmware.
	Firmware = firmware.Robot
	// Functional is an e-puck2 by formulas, for worlds of hundreds of robots; see package sim/functional.
	Functional = functional.Robot
	// Controller decides what a [Functional] does, through a Control.
	Controller = functional.Controller
	// Control is a functional robot's sensors and actuators, at one time.
	Control = functional.Control
	// Articulated is a robot with a model; see package sim/articulated.
	Articulated = articulated.Robot
	// Mechanism moves an [Articulated] robot; package machine implements it.
	Mechanism = articulated.Mechanism
	// Wheeled is a mechanism that drives with a row of wheels on the left and one on the right.
	Wheeled = articulated.Wheeled
	// MechanismMaker makes the mechanism of a robot of the world file.
	MechanismMaker = articulated.Maker
	// Environment is the world as a Mechanism meets and measures it.
	Environment = articulated.Environment
	// GroundTruth is what is really so with a robot, not what its sensors measure.
	GroundTruth = plant.GroundTruth
	// MotorOverride changes the speed forward that a robot's motors are commanded.
	MotorOverride = plant.MotorOverride
	// Heard is a message of another robot and where it came from.
	Heard = plant.Heard
	// Overlap is how a solid of a robot overlaps something.
	Overlap = plant.Overlap
	// RayCaster casts rays against what is near one place.
	RayCaster = plant.RayCaster
	// Thing is a solid thing of the world.
	Thing = scene.Thing
	// Lamp is a light of the world.
	Lamp = scene.Lamp
	// Person is a human who walks in the world.
	Person = scene.Person
)

// DefaultPerson returns a person of SUMO's height, with feet apart, who walks at an indoor pace.
func DefaultPerson() Person { return scene.DefaultPerson() }

const (
	// CycleTime is the period in which articulated robots and those of the functional level move.
	CycleTime = kernel.CycleTime
	// MessagePeriod is how often robots exchange infrared messages.
	MessagePeriod = plant.MessagePeriod
	// MaxMessage is the longest message between robots, bytes.
	MaxMessage = plant.MaxMessage
	// PinButton is the Pi-puck's button, low while pressed.
	PinButton = firmware.PinButton
	// PinCharger is high while the charger is plugged in.
	PinCharger = firmware.PinCharger
	// PinFT903Reset holds the Pi-puck's FT903 in reset while low.
	PinFT903Reset = firmware.PinFT903Reset
	// PinRobotReset holds the robot's main processor in reset while low.
	PinRobotReset = firmware.PinRobotReset
)

// MaxSpeed is how fast a robot as drawn drives, m/s: the largest speed that the firmware commands.
const MaxSpeed = vmcu.SpeedLimit * 2 * physics.HalfStep

// StepperSpeed returns the speed of a stepper motor: see [physics.StepperSpeed].
func StepperSpeed(v, stepsPerTurn, timer float64) float64 {
	return physics.StepperSpeed(v, stepsPerTurn, timer)
}
