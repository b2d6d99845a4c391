// SPDX-License-Identifier: Apache-2.0

// Package vmtest shows the driver on a robot that is as real as it gets without one: a Debian 12 in an emulated PC
// (package internal/vm) with the Debian package installed, its service run by systemd, the simulated robot behind real
// device files (package sim/cuse), and the ROS topics read from outside, over a network cable that can be pulled.
//
// It has tests only. They run where EPUCK_VM=required, by make test-vm; they need root.
package vmtest
