// SPDX-License-Identifier: Apache-2.0

// Package timesource defines the interface of a time source: what decides how far the time of a simulation may
// advance. The world and all that takes part in it know simulated time only; one time source advances it: TraCI
// clients, a service of ROS 2, a deterministic executor. The program that runs the world passes a function that
// advances time to the source, which calls it.
package timesource

import (
	"context"
	"time"
)

// Source decides how far a simulation's time may go.
type Source interface {
	// Run advances time until ctx ends or the source needs no more of it; both return nil. to advances the world, and
	// all that takes part in it, to an age, and returns when they have reached it; its errors are returned. Ages do not
	// decrease; one that was reached already only executes the events that are due.
	Run(ctx context.Context, to func(age time.Duration) error) error
	// Status returns what the source is and waits for. It may be called at any time, from any goroutine.
	Status() Status
}

// Status describes a time source, in words for people.
type Status struct {
	// By is the source: "TraCI client 127.0.0.1:40312".
	By string
	// Waits is what the source waits for while time does not pass: "its next command". Empty while time passes.
	Waits string
	// Since is how long it has waited, of the machine's time.
	Since time.Duration
}

// String formats it as a part of a line.
func (s Status) String() string {
	if s.Waits == "" {
		return "time: " + s.By
	}
	if s.Since < time.Second {
		return "time: " + s.By + " waits for " + s.Waits
	}
	return "time: " + s.By + " waits for " + s.Waits + " (" + s.Since.Truncate(time.Second).String() + ")"
}
