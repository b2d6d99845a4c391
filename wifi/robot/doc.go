// SPDX-License-Identifier: Apache-2.0

// Package robot is an e-puck2 without a Raspberry Pi, over Wi-Fi, as the driver of one with a Raspberry Pi knows it: an
// I2C bus with the main processor, the inertial unit, the time-of-flight and the ground sensors on it, a battery in the
// kernel's files, and a camera.
//
//	driver ──► bus: registers of the chips ──► latest sensors ◄── link ◄── TCP ◄── robot
//	                packets of the processor ──► command      ──► link ──► TCP ──►
//
// The seam is the bus, and not the driver's parts, because all that keeps a robot safe lies above it: package
// driver/wheels with its deadline, its halt and its guard, the odometry, the diagnostics and all topics work on a
// robot over Wi-Fi as they are. What a chip would answer is in the robot's packets, but for its setting up: the
// registers keep what is written to them.
//
// # Nothing waits for the network
//
// A transaction puts its command into a place that holds the latest one, and waits for sensors that came after it, for
// [Answer] at the longest. It does not touch the connection: one goroutine writes, one reads. A write that hangs, and a
// robot that is silent for [Silence], cost the connection, and the next one begins with zero speeds. The robot has room
// for one client only, so the guard of the wheels has no connection of its own: it has this.
//
// # A robot out of reach
//
// It keeps its last speeds: neither of its processors has a watchdog, and a client that is gone is not noticed before
// sending fails (see package sim/wifi). That can't be mended from here. It stands as soon as it is reached again.
package robot
