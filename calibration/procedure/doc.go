// SPDX-License-Identifier: Apache-2.0

// Package procedure implements `epuck-driver calibrate`: it drives a robot, prompts the user and collects the
// measurements for the estimators of package calibration, by topics and services alone, so that it works with
// simulated and real robots.
//
// joint_states, ps_raw, imu, mag, image_raw ─► Robot ─► wheels, infrared, imu, camera ─► parameters, file
//
//	cmd_vel ◄─┘
//
// At the end of a procedure, also of one that fails or is interrupted, the wheels are commanded to stop
// (TestTypedEnds, TestStuck). The measurements are in the journal, from which the next run can continue.
package procedure
