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
	// ErrAddress: an address that does not fit 7 bits.
	ErrAddress = errors.New("vbus: not a 7-bit address")
	// ErrSpeed: a clock rate the bus cannot have.
	ErrSpeed = errors.New("vbus: clock rate out of range")
	// ErrFault: a fault or fault rate that makes no sense.
	ErrFault = errors.New("vbus: impossible fault")
	// ErrClosed: the bus was closed. It wraps os.ErrClosed.
	ErrClosed = fmt.Errorf("vbus: bus %w", os.ErrClosed)
)
