// SPDX-License-Identifier: Apache-2.0

package vbus

import (
	"errors"
	"fmt"
	"os"
)

// Errors of this package. Failures of a transfer wrap a syscall.Errno instead,
// as those of a real bus do.
var (
	// errAddress: an address that does not fit 7 bits.
	errAddress = errors.New("vbus: not a 7-bit address")
	// errSpeed: a clock rate the bus cannot have.
	errSpeed = errors.New("vbus: clock rate out of range")
	// errFault: a fault or fault rate that makes no sense.
	errFault = errors.New("vbus: impossible fault")
	// errClosed: the bus was closed. It wraps os.ErrClosed.
	errClosed = fmt.Errorf("vbus: bus %w", os.ErrClosed)
)
