// SPDX-License-Identifier: Apache-2.0

// Package robot presents an e-puck2 over Wi-Fi, without a Raspberry Pi, to the driver like one with a Raspberry Pi:
// an I2C bus with the main processor, the inertial unit, the time-of-flight and the ground sensors on it, a battery
// in the kernel's files, and a camera.
//
//	driver ──► bus: registers of the chips ──► latest sensors ◄── link ◄── TCP ◄── robot
//	                packets of the processor ──► command      ──► link ──► TCP ──►
//
// The interface is the bus instead of the driver's parts because everything that keeps a robot safe is above it:
// package driver/wheels with its deadline, its halt and its guard, the odometry, the diagnostics and all topics work
// on a robot over Wi-Fi unchanged. The robot's packets have what a chip would answer, except for its setup: the
// registers keep what is written to them.
//
// # Blocking
//
// A transaction stores its command as the latest one, and waits for newer sensors, for [ResponseTimeout] at most. It does not
// use the connection: one goroutine writes, one reads. If a write hangs, or the robot sends nothing for silence,
// the connection is closed, and the next one begins with zero speeds. The robot accepts one client only, so the guard
// of the wheels uses the same connection.
//
// # Loss of the connection
//
// The robot keeps its last speeds: neither of its processors has a watchdog, and the loss of a client is not detected
// before sending fails (see package cosim/wifi). The driver can't change that. The robot stops as soon as it is reached
// again.
package robot
