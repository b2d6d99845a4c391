// SPDX-License-Identifier: Apache-2.0

// Package odometry computes pose, twist, wheel angles and their covariances from the step counters of a two-wheeled
// robot.
//
// Frames and signs follow REP 103: x forward, y left, angles counterclockwise, SI units. The pose is that of base_link
// (the middle of the wheel axis) in the odom frame (REP 105: continuous, drifting). It neither reads a clock nor
// allocates.
//
//	o, err := odometry.New(odometry.Config{})
//	state, event := o.Update(left, right, dt) // after each reading of the counters
package odometry
