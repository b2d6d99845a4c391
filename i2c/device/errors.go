// SPDX-License-Identifier: Apache-2.0

package device

import "errors"

// Sentinel errors that all chips share. Test for them with errors.Is; the errors returned carry the numbers. A
// transaction that failed on the bus matches i2c.ErrBus.
var (
	// ErrIdentity is matched when something answers at the address and is not the chip expected there.
	ErrIdentity = errors.New("device: wrong identity")
	// ErrTimeout is matched when the chip acknowledges and does not do what it was told in time.
	ErrTimeout = errors.New("device: chip does not get ready")
	// ErrReset is matched when the chip has lost its configuration: it was reset or without power for a moment.
	ErrReset = errors.New("device: chip was reset")
	// ErrFrozen is matched when the chip answers and its measurements do not change any more, or do not come.
	ErrFrozen = errors.New("device: measurements are frozen")
	// ErrVerify is matched when a register does not hold what was written.
	ErrVerify = errors.New("device: register does not hold its value")
	// ErrNoReading is matched when there is no measurement to give: the chip has not made one since it was brought up.
	ErrNoReading = errors.New("device: no reading")
	// ErrHalted is matched when a chip is asked for a reading after Halt.
	ErrHalted = errors.New("device: halted")
	// ErrOption is matched by every option out of its range.
	ErrOption = errors.New("device: bad option")

	// ErrAgain is what [Step.Check] returns when the chip is not ready yet; it never leaves this package.
	ErrAgain = errors.New("device: not yet")
	// ErrPutOff is matched by the error of a bus that did not make a transaction, to leave time to others. It says
	// nothing about the chip and does not count as a failure of it: the chip goes on with the next Poll.
	ErrPutOff = errors.New("device: the transaction was put off")
)
