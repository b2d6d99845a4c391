// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"fmt"
	"sync"
	"unsafe"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// Adapter is an open I2C bus of Linux. It implements periph's BusCloser. It is safe for concurrent use, but should
// have one owner, so that its chips are polled in one schedule.
//
// A bus that vanishes, such as one whose kernel driver is unloaded, fails its transactions with [KindGone]. Each
// later transaction searches for it as [Open] did, also under a new number, and works again when the bus is back.
//
// periph's own Linux bus does the same transfer but drops the kernel's error number, which distinguishes a missing
// acknowledge, a time-out and a vanished bus here, and does not offer the adapter's time-out.
type Adapter struct {
	find func() (Location, port, error) // used again when the bus is gone

	mu     sync.Mutex
	loc    Location
	port   port // nil while the bus is gone
	closed bool
	// The kernel's structures are kept here, not on the stack, so that a transaction allocates nothing.
	msgs [2]message
	data transaction
}

var _ pi2c.BusCloser = (*Adapter)(nil)

// location returns which bus this is and how it was found.
func (a *Adapter) location() Location {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.loc
}

// String returns the device file.
func (a *Adapter) String() string { return a.location().Path }

// Tx writes w and reads r in one transaction with a repeated start in between; either may be empty. No other process
// gets the bus between the two. The error is a [*BusError] with the kernel's errno.
func (a *Adapter) Tx(addr uint16, w, r []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case addr > 0x7F:
		return a.fail(addr, w, r, errAddress)
	case len(w) > maxLen || len(r) > maxLen:
		return a.fail(addr, w, r, errTooLong)
	case len(w) == 0 && len(r) == 0:
		return nil
	case a.closed:
		return a.fail(addr, w, r, ErrClosed)
	}
	if err := a.reopen(); err != nil {
		return a.fail(addr, w, r, err)
	}
	if err := a.transfer(addr, w, r); err != nil {
		a.closeIfGone(err)
		return a.fail(addr, w, r, err)
	}
	return nil
}

// transfer makes the transaction.
func (a *Adapter) transfer(addr uint16, w, r []byte) error {
	n := 0
	if len(w) > 0 {
		a.msgs[n] = message{addr: addr, len: uint16(len(w)), buf: unsafe.Pointer(&w[0])}
		n++
	}
	if len(r) > 0 {
		a.msgs[n] = message{addr: addr, flags: flagRead, len: uint16(len(r)), buf: unsafe.Pointer(&r[0])}
		n++
	}
	a.data = transaction{msgs: unsafe.Pointer(&a.msgs[0]), n: uint32(n)}
	err := a.port.transfer(&a.data)
	a.msgs = [2]message{} // do not keep the caller's bytes alive
	return err
}

// closeIfGone closes the device file of a bus that is gone: only then may its number be assigned to another one.
func (a *Adapter) closeIfGone(err error) {
	if KindOf(err) == KindGone {
		_ = a.port.close() // nothing can be lost
		a.port = nil
	}
}

// reopen reopens a bus that was gone.
func (a *Adapter) reopen() error {
	if a.port != nil {
		return nil
	}
	loc, p, err := a.find()
	if err != nil {
		return err
	}
	a.loc, a.port = loc, p
	return nil
}

func (a *Adapter) fail(addr uint16, w, r []byte, err error) error {
	return &BusError{Bus: a.loc.Path, Addr: addr, Write: len(w), Read: len(r), Err: err}
}

// SetSpeed fails with [ErrUnsupported]: the speed (100 kHz, the maximum of the MCU) is set in the device tree.
func (a *Adapter) SetSpeed(f physic.Frequency) error {
	return fmt.Errorf("%w: speed %v of %s", ErrUnsupported, f, a)
}

// Close closes the device file after the current transaction. Later transactions match [ErrClosed]. It may be called
// more than once.
func (a *Adapter) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil
	}
	a.closed = true
	if a.port == nil {
		return nil
	}
	if err := a.port.close(); err != nil {
		return fmt.Errorf("i2c: close %s: %w", a.loc.Path, err)
	}
	return nil
}
