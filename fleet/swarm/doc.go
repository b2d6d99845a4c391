// SPDX-License-Identifier: Apache-2.0

// Package swarm runs Go controllers on many simulated robots in one process, without a network: thousands of them,
// faster than real time, deterministically.
//
// A [Controller] is one method that is called in every control step with a [Robot]: sensors and actuators in the units
// of the robot's own programmers. The same controller drives robots of both levels: at the functional level it is
// called by the world, on all processors; at the firmware level it talks to the robot's microcontroller over the
// virtual bus, as the real driver does.
//
//	type turner struct{}
//
//	func (turner) Step(r swarm.Robot) { r.SetWheels(2, -2) }
//
//	run, err := swarm.New(w, swarm.Config{Seed: 1, Controller: func(string) swarm.Controller { return turner{} }})
//	err = run.Advance(ctx, time.Minute)
//	fmt.Println(run.Statistics())
//
// [Avoider] and [Aggregator] are two well-known examples.
package swarm

import "errors"

// Errors of this package.
var (
	// errConfig is matched by errors about an invalid configuration.
	errConfig = errors.New("swarm: configuration")
	// errController is matched by errors about an unknown controller or parameter.
	errController = errors.New("swarm: controller")
)
