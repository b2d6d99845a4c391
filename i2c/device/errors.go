// SPDX-License-Identifier: Apache-2.0

package device

import "errors"

// Sentinel errors that all chips share. Test for them with errors.Is; the errors returned carry the numbers. A
// transaction that failed on the bus matches i2c.ErrBus.
var (
	// ErrIdentity is matched when another device answers at the chip's address.
	ErrIdentity = errors.New("device: wrong identity")
	// ErrTimeout is matched when the chip acknowledges but does not complete a request in time.
	ErrTimeout = errors.New("device: chip does not become ready")
	// ErrReset is matched when the chip has lost its configuration: it was reset or without power.
	ErrReset = errors.New("device: chip was reset")
	// ErrFrozen is matched when the chip answers but its measurements do not change, or there are none.
	ErrFrozen = errors.New("device: measurements are frozen")
	// ErrVerify is matched when a register does not have the value that was written.
	ErrVerify = errors.New("device: register does not hold its value")
	// ErrNoReading is matched when there is no measurement since the chip was started.
	ErrNoReading = errors.New("device: no reading")
	// ErrHalted is matched when a chip is asked for a reading after Halt.
	ErrHalted = errors.New("device: halted")
	// ErrOption is matched by every option out of its range.
	ErrOption = errors.New("device: invalid option")

	// ErrAgain is returned by [Step.Check] when the chip is not ready yet; it is internal to this package.
	ErrAgain = errors.New("device: not yet")
	// ErrPostponed is matched by the error of a bus that postponed a transaction in favour of others. It does not count
	// as a failure of the chip, which continues with the next Poll.
	ErrPostponed = errors.New("device: transaction postponed")
)
