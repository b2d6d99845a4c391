// SPDX-License-Identifier: Apache-2.0

// Package physics moves the e-puck2's body through a world of solid shapes and
// computes what its infrared sensors measure there.
//
// The body is a circle that rolls as its two stepper motors turn, half step by
// half step, without slip until it touches something; then it slides along it
// against friction while the wheels turn on, as a stepper's do.
//
// All quantities are SI units, frames as in REP 103. Results are the same bits
// on every processor (see package geom).
package physics

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// The e-puck2's measures, metres.
const (
	// BodyRadius is the radius of the cylinder around the body and all that sticks out.
	BodyRadius = robot.ContactRadius
	// BodyHeight is the height of the body; other robots' sensors and light
	// rays meet it up to there.
	BodyHeight = robot.ContactHeight
	// WheelRadius is the radius of both wheels.
	WheelRadius = robot.WheelRadius
	// SensorHeight is the height of the infrared sensors over the floor.
	SensorHeight = robot.SensorHeight
)

// stepsPerTurn is the number of motor steps in a turn of a wheel.
const stepsPerTurn = robot.StepsPerTurn

// HalfStep is the way a wheel rolls in half a motor step, metres.
const HalfStep = 2 * math.Pi * WheelRadius / (2 * stepsPerTurn)
