// SPDX-License-Identifier: Apache-2.0

// Package machine simulates robots by their descriptions: a body that drives and bumps into things, joints that move,
// and the devices on them.
//
//	robots.Robot ──► Machine ◄──► sim.Environment (what is around)
//	                    │
//	                 Devices (what a program has: the universal driver, Webots' controllers)
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
// bounds; its other joints go to their commanded positions, at the speeds they may have, without masses and forces. Its
// solids are discs and boxes on the floor as high as its links' shapes reach with all joints at rest; meshes are not
// opened. They push movable things with the mass of all links; an arm that moves does not push. Sensors look along the
// rays of their cones and fans, which start where the joints have carried them, and pass over what is lower.
//
// The same world and seed give the same run on every processor: see package sim.
package machine
