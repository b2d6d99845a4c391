// SPDX-License-Identifier: Apache-2.0

// Package cuse serves a periph I²C bus as a device file /dev/i2c-N of this machine's kernel, so that unmodified
// programs in any language use the virtual chips on it: the driver's own Linux path, i2cdetect and i2cget, smbus in
// Python, a Pololu library in C.
//
//	d, err := cuse.Open(cuse.Config{Number: 12, Bus: robot.Bus()})
//	defer d.Close() // the device file vanishes
//
// It speaks the kernel's CUSE protocol (character devices in user space, a part
// of FUSE) itself, on /dev/cuse, without C. It needs root and the kernel module
// cuse; Open's error says which of the two is missing.
//
// # What the kernel's i2c-dev does, and this does too
//
// Every opener has an address and flags of its own (I2C_SLAVE, I2C_SLAVE_FORCE,
// I2C_TENBIT, I2C_PEC). I2C_RDWR runs up to 42 messages of up to 8192 bytes
// without another opener in between. I2C_SMBUS is emulated with plain messages,
// packet error codes included. read and write are one message each. I2C_RETRIES
// and I2C_TIMEOUT are the adapter's, not the opener's. Errors are those of the
// Raspberry Pi's adapter: EREMOTEIO for a missing acknowledge, ETIMEDOUT for a
// clock that hangs. The structures of 32-bit programs on a 64-bit kernel are
// understood.
//
// # What differs
//
//   - A periph bus knows one write followed by one read. Messages that are
//     neither are sent in sequence with a stop between them.
//   - As on the Raspberry Pi, there is no 10-bit addressing, no protocol mangling
//     and no block read whose length the chip says: EOPNOTSUPP.
//   - CUSE passes at most 128 KiB through one ioctl, and splits a read or write of
//     more than 8192 bytes, which i2c-dev shortens.
//   - sysfs does not know the adapter, so that i2cdetect -l does not list it.
//   - A program that has the file open when the device vanishes gets ENOTCONN or
//     ECONNABORTED, not ENODEV.
package cuse
