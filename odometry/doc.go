// SPDX-License-Identifier: Apache-2.0

// Package odometry turns the step counters of a two-wheeled robot into a pose, a twist, wheel angles and their
// covariances.
//
// Frames and signs follow REP 103: x forward, y left, angles counterclockwise, SI units. Pose is that of base_link (the
// middle of the wheel axis) in the odom frame (REP 105: continuous, drifting). Nothing here reads a clock or allocates.
//
//	o, err := odometry.New(odometry.Config{})
//	state, event := o.Update(left, right, dt) // after each reading of the counters
package odometry
