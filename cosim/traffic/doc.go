// SPDX-License-Identifier: Apache-2.0

// Package traffic drives vehicles along the lanes of a SUMO network: each follows its route, keeps its distance,
// stops at red lights and gives way (TestCrowdedCrossing). It decides speeds and turn rates; something else moves
// the vehicles and says where they are.
//
// The speed is that of Krauß' model as SUMO has it, without its random part: at most what the lane and the vehicle
// allow, accelerating by 0.3 m/s², and so that the vehicle can stop 3 cm behind the one ahead, or at a line, by
// 0.5 m/s² after a reaction time of 0.3 s. The direction is that to a point of the lane ahead (pure pursuit).
//
// A vehicle enters a junction if its light is not red, no vehicle is on a link that crosses its own, there is space
// behind the junction, and, unless it has the right of way, none arrives meanwhile that drives first. Vehicles that
// have waited for each other for 5 s drive in the order in which they came. In a junction no vehicle waits, as left
// turns do in SUMO. A vehicle changes lanes where its route needs it or it is commanded to, when there is space; it
// waits for that before the end of its lane, and one that has waited for 10 s takes another route to its destination.
package traffic

import "time"

const (
	acceleration = 0.3  // m/s²
	deceleration = 0.5  // m/s²
	reaction     = 0.3  // the time that a vehicle takes to react, s: SUMO's tau
	minGap       = 0.03 // between vehicles that are stopped, m

	deadlock  = 5 * time.Second
	lost      = 10 * time.Second // waiting for another lane for so long, a vehicle takes another route
	toLeft    = 0.35             // before the end of a lane vehicles wait for the lane to the left, m
	toRight   = 0.15             // and for that to the right
	stopped   = 0.005            // m/s
	slow      = 0.001            // a vehicle that would drive slower stops, m/s
	near      = 0.02             // of a line: a vehicle is at it, m
	sight     = 0.5              // beyond the braking distance, m
	lookahead = 0.08             // of the point that is steered for, m
	steepest  = 1.0              // at a larger angle to that point a vehicle turns on the spot, rad
	spin      = 2.0              // how fast, 1/s of the angle, and at most rad/s
	slowest   = 0.05             // speed with which the arrival of others is computed at least, m/s
	margin    = 1.0              // between two vehicles that cross each other's way, s
)
