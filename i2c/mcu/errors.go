// SPDX-License-Identifier: Apache-2.0

package mcu

import "errors"

// Sentinel errors of the codec and the device. Test for them with errors.Is; the errors returned carry the numbers.
// A transaction that failed on the bus matches i2c.ErrBus.
var (
	// errLength is matched when a packet does not have its fixed length.
	errLength = errors.New("mcu: wrong packet length")
	// ErrChecksum is matched when the XOR of a packet does not match its last byte.
	ErrChecksum = errors.New("mcu: bad checksum")
	// errImplausible is matched by packets with a right checksum that are not the extension firmware's: most of their
	// values are impossible. A few impossible values are not an error, see [Sensors].Refused.
	errImplausible = errors.New("mcu: implausible packet")
	// ErrAllZero is matched when all 47 bytes are zero: the reply buffer before the first command, or a firmware that
	// answers with an empty register. The error also says that the packet is implausible.
	ErrAllZero = errors.New("mcu: all bytes are zero")
	// errRegisterFirmware is matched when the reply is the repeated register byte of the York e-puck1-compatible
	// firmware instead of a sensor packet. The error also says that the packet is implausible.
	errRegisterFirmware = errors.New("mcu: register firmware (York pi-puck_proto-epuck1) instead of the extension firmware")
	// ErrCommand is matched when a [Command] has a field out of range.
	ErrCommand = errors.New("mcu: invalid command")
	// ErrNotStopped is matched when [Dev.Halt] could not confirm that the wheels are stopped.
	ErrNotStopped = errors.New("mcu: wheels not confirmed to be stopped")
	// errNotAccepted is matched when the MCU did not accept a one-shot command in time.
	errNotAccepted = errors.New("mcu: command not accepted")
)
