// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"errors"
	"fmt"

	"periph.io/x/conn/v3/i2c"
)

// Sentinel errors. Test for them with errors.Is.
var (
	// ErrBus is matched by every failed transaction; [KindOf] returns the reason.
	ErrBus = errors.New("i2c: transaction failed")
	// ErrNoBus is matched when no bus could be found or opened; the error is a [NoBusError] with everything that was
	// tried.
	ErrNoBus = errors.New("i2c: no such bus")
	// ErrClosed is matched by a transaction on an [Adapter] that was closed.
	ErrClosed = errors.New("i2c: bus is closed")
	// errAddress is matched when an address is not a 7-bit device address (0x00 to 0x7F).
	errAddress = errors.New("i2c: not a 7-bit address")
	// errTooLong is matched when a transfer is longer than the kernel's limit of 8192 bytes.
	errTooLong = errors.New("i2c: transfer too long")
	// ErrUnsupported is matched by SetSpeed: Linux fixes the speed of an adapter in its device tree.
	ErrUnsupported = errors.New("i2c: not supported by the Linux I2C interface")
)

// BusError is a transaction that failed. It matches [ErrBus] and, through Err, the kernel's error number
// (syscall.Errno).
type BusError struct {
	Bus   string // name of the bus, as its String method gives it
	Addr  uint16 // 7-bit device address
	Write int    // bytes that were to be written
	Read  int    // bytes that were to be read
	Err   error  // what the bus answered, usually a syscall.Errno
}

// Tx makes one transaction on any bus, so that all its errors match [ErrBus]. r is cleared first, so that a bus that
// does not fill it in does not repeat the last reading.
func Tx(bus i2c.Bus, addr uint16, w, r []byte) error {
	clear(r)
	err := bus.Tx(addr, w, r)
	if err == nil || errors.Is(err, ErrBus) {
		return err
	}
	return &BusError{Bus: bus.String(), Addr: addr, Write: len(w), Read: len(r), Err: err}
}

// Error names the device, the transfer and the reason in one line.
func (e *BusError) Error() string {
	return fmt.Sprintf("i2c: %s address %#02x, write %d and read %d bytes: %v (%v)",
		e.Bus, e.Addr, e.Write, e.Read, KindOf(e.Err), e.Err)
}

// Unwrap returns the reason.
func (e *BusError) Unwrap() error { return e.Err }

// Is reports whether target is [ErrBus].
func (e *BusError) Is(target error) bool { return target == ErrBus }
