// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Package vm runs Debian 12 in an emulated PC, for tests that need a real kernel and systemd: device files, services,
// packages, a network cable.
//
// The processor is emulated (QEMU's TCG), so it runs on any machine, needs no kernel module and is about ten times
// slower than the machine it runs on. The disk is built once by scripts/vm-image.sh; changes that a machine makes to
// it are discarded when it ends. Commands run through the guest agent on a serial line ([Machine.Exec]), not through
// the network, which tests may disconnect.
package vm
