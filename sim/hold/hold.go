// SPDX-License-Identifier: Apache-2.0

// Package hold is about who holds the time of a simulation. The world and all who go with it know simulated time only;
// one holder says how far it may go: a TraCI client, a service of ROS 2, a fixed order of execution. The program that
// runs the world hands the holder a function that lets time pass, and the holder calls it.
package hold

import (
	"context"
	"time"
)

// Holder holds a simulation's time.
type Holder interface {
	// Run lets time pass until ctx ends or the holder has no more use for it; both give nil. to lets the world, and all
	// who go with it, reach an age, and returns when they have; its errors are handed on. Ages do not go down; one that
	// was reached already only lets all look again.
	Run(ctx context.Context, to func(age time.Duration) error) error
	// Status says how things stand, at any time and from any goroutine.
	Status() Status
}

// Status is who holds time, in words for people.
type Status struct {
	// By is the holder: "TraCI client 127.0.0.1:40312".
	By string
	// Waits is what the holder waits for while time stands: "its next command". Empty while time passes.
	Waits string
	// Since is how long it has waited, of the machine's time.
	Since time.Duration
}

// String says it in a line's part.
func (s Status) String() string {
	if s.Waits == "" {
		return "time: " + s.By
	}
	if s.Since < time.Second {
		return "time: " + s.By + " waits for " + s.Waits
	}
	return "time: " + s.By + " waits for " + s.Waits + " (" + s.Since.Truncate(time.Second).String() + ")"
}
