// SPDX-License-Identifier: Apache-2.0

// Package i2c finds, opens and measures the I2C bus of a Pi-puck.
//
// It adds to periph.io/x/conn/v3/i2c what is specific to this robot:
//
//   - [Find] searches for the robot's bus among the adapters of the machine, by the multiplexer's link in sysfs and
//     then by its two usual numbers; on failure it lists every attempt ([NoBusError]);
//   - [Open] opens it as an [Adapter], a periph BusCloser whose errors keep the kernel's errno, and shortens the
//     time-out of the adapter at the root of the bus;
//   - [KindOf] distinguishes a missing acknowledge, a time-out and a vanished bus; [Meter] counts and times
//     transactions.
//
// One goroutine owns a bus and polls all chips on it in one schedule. Each subpackage drives one chip; package mcu is
// for the e-puck2's main processor, package i2cfake has buses for tests, which can fail.
package i2c
