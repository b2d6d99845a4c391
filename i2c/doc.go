// SPDX-License-Identifier: Apache-2.0

// Package i2c finds, opens and watches the I2C bus of a Pi-puck.
//
// It adds to periph.io/x/conn/v3/i2c what a robot needs and a general library cannot know:
//
//   - [Find] looks for the robot's bus among the adapters of the machine: the multiplexer's link in sysfs first, then
//     the
//     two numbers it is known to get, and says everything it looked for when there is none ([NoBusError]);
//   - [Open] opens it as an [Adapter], a periph BusCloser whose errors keep the kernel's error number, and shortens the
//     time-out of the adapter at the root of the bus;
//   - [KindOf] tells a missing acknowledge from a time-out from a bus that is gone; [Meter] counts and times
//     transactions.
//
// One goroutine owns a bus: all chips on it are polled by that goroutine, in one schedule. The sub-packages hold one
// chip each; package mcu is the e-puck2's main processor, package i2cfake has buses for tests, which can fail.
package i2c
