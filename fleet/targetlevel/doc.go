// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Package targetlevel simulates the on-board computers of robots: a robot of the level target has a machine of
// package sim/armcost/machine on its buses, which runs programs for ARMv6 Linux, the release's driver and any others,
// in simulated time that is determined by their own instructions.
package targetlevel
