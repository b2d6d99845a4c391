// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Package vmtest tests the driver in a virtual machine: Debian 12 in an emulated PC (package deploy/vm) with the
// Debian package installed, its service run by systemd, the simulated robot behind real device files (package
// sim/cuse), and the ROS topics read from outside, over a network cable that can be disconnected.
//
// It also tests the image of a robot's SD card (scripts/image) in an emulated Raspberry Pi Zero: its first start,
// from power to odometry, and power cuts.
//
// It has tests only. They run if EPUCK_VM=required, by make test-vm, and EPUCK_VM=card, by make test-image; they need
// root.
package vmtest
