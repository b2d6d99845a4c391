// SPDX-License-Identifier: Apache-2.0

package checks

import (
	"context"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
)

// Task is an action that is requested from a person.
type Task uint8

// The tasks.
const (
	// OnFloor: the robot is on a light floor with 50 cm of space around it, nothing touches it.
	OnFloor Task = iota
	// CardAt: a white card is in front of proximity sensor Request.Sensor, at Request.Distance.
	CardAt
	// CardAhead: a white sheet is in front of the time-of-flight sensor, at Request.Distance.
	CardAhead
	// NoseUp: the nose is lifted by about 30°.
	NoseUp
	// LeftUp: the left side is lifted by about 30°.
	LeftUp
	// PressButton: the user button is pressed and held.
	PressButton
	// ReleaseButton: the user button is released.
	ReleaseButton
	// SeeLight: only LED Request.Light is lit, in Request.Colour. An answer with a note means that this is not the
	// case.
	SeeLight
	// HearMelody: a melody is audible. An answer with a note means that it is not.
	HearMelody
	// TurnSelector: the selector is turned to Request.Position.
	TurnSelector
)

// Request is a task with its parameters.
type Request struct {
	Task     Task
	Sensor   int     // proximity sensor, 0 to 7
	Distance float64 // m, between the sensor and the card
	Light    int     // number of an LED, 0 to 7; from [BoardLights] those of the Pi-puck board
	Colour   pipuck.Colour
	Position int // of the selector, 0 to 15
}

// String returns the request as a sentence.
func (r Request) String() string {
	switch r.Task {
	case CardAt:
		return fmt.Sprintf("Hold a white card, 3 cm wide or more, %.0f mm before proximity sensor ps%d (clockwise from the front right, from 0).", 1000*r.Distance, r.Sensor)
	case CardAhead:
		return fmt.Sprintf("Hold a white sheet %.0f mm ahead of the robot's front, upright.", 1000*r.Distance)
	case NoseUp:
		return "Lift the robot's nose by about 30 degrees and hold it still."
	case LeftUp:
		return "Lift the robot's left side by about 30 degrees and hold it still."
	case PressButton:
		return "Press the robot's user button and hold it."
	case ReleaseButton:
		return "Release the button."
	case SeeLight:
		return fmt.Sprintf("Look: LED %s (%s) is %s, and no other. If it is not, say what you see.", lightName(r.Light), lightPlace(r.Light), r.Colour)
	case HearMelody:
		return "Listen: the robot plays a melody. If it does not, say what you hear."
	case TurnSelector:
		return fmt.Sprintf("Turn the robot's selector to %d (%X).", r.Position, r.Position)
	default:
		return "Put the robot on a light floor with 50 cm of space around it and do not touch it."
	}
}

// lightPlace returns the position of an LED for a person.
func lightPlace(number int) string {
	places := [BoardLights]string{"front", "front right", "right", "back right", "back", "back left", "left", "front left"}
	if number < BoardLights {
		return places[number]
	}
	return "on the Pi-puck board"
}

// Choice is the choice of a person's answer.
type Choice uint8

// The choices.
const (
	Continue Choice = iota
	Skip
	Repeat // repeat the last check
)

// Answer is a person's answer.
type Answer struct {
	Choice Choice
	Note   string // what was not as expected; empty if everything was
}

// Person executes the requests of the checks. The wheels are stopped while a method is called. An error ends the test.
type Person interface {
	// Do returns when the request is fulfilled, or with Skip.
	Do(ctx context.Context, r Request) (Answer, error)
	// Judge is called with each result.
	Judge(ctx context.Context, r *Result) (Answer, error)
}
