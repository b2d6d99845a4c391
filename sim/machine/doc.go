// SPDX-License-Identifier: Apache-2.0

// Package machine simulates robots by their descriptions: a body that drives and collides, joints that move, and
// the devices on them.
//
//	description.Robot ──► Machine ◄──► sim.Environment (the world around it)
//	                    │
//	                 Devices (for a program: the generic driver, Webots' controllers)
//
// A [Machine] is the mechanism of a [sim.Articulated] robot; [Maker] makes them for [sim.Options]:
//
//	s, err := sim.New(w, sim.Options{Mechanisms: machine.Maker(library.Parse, library.Load), …})
//	for _, r := range sim.RobotsOf[*sim.Articulated](s) {
//		r.Do(func(m sim.Mechanism) { m.(*machine.Machine).SetVelocity(…) })
//	}
//
// # What is simulated
//
// The world is a plane. A robot moves in it by its two rows of wheels, whose speeds and acceleration its description
// bounds; its other joints move to their commanded positions within their speed limits, without masses and forces. Its
// solids are discs and boxes on the floor, as high as its links' shapes with all joints at rest; meshes are not read.
// They push movable things with the mass of all links; a moving arm does not push. Sensors measure along the rays of
// their cones and fans, which begin at the poses given by the joints, and pass over lower things.
//
// Runs with the same world and seed are equal on every processor: see package sim.
package machine
