// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Package machine runs ARMv6 Linux programs in simulated time that advances by their own instructions: as on a
// robot's computer all programs of a [Machine] share one core, and what exceeds it is late.
//
// The programs run under qemu-arm with the model of package armcost, which counts their cycles. A seccomp filter
// passes every system call that may wait to this package, which returns from it when simulated time, another thread
// or a file says so, and only to the thread that has the core: one of them all runs at a time. Clocks show simulated
// time. An ioctl of /dev/i2c-N becomes a transfer on a [Bus], at the simulated time at which the program makes it.
//
// Several machines share simulated time in a [Rack], whose Now and Sleep are the clock of the world that the robots are
// in. docs/explanation/cost.md says what differs from a robot.
package machine
