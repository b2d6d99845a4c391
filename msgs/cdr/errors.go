// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"errors"
	"fmt"
)

// Errors of the codec. A decoding error is a [*DecodeError] that wraps one of them.
var (
	// ErrShort means that the data end within a value, or that a count requires more bytes than remain.
	ErrShort = errors.New("cdr: data too short")
	// ErrEncapsulation means that the encapsulation identifier is not that of plain CDR.
	ErrEncapsulation = errors.New("cdr: unsupported encapsulation")
	// ErrXCDR2 means an XCDR2 encapsulation (0x0006 … 0x000b). It is an [ErrEncapsulation].
	ErrXCDR2 = fmt.Errorf("%w: XCDR2", ErrEncapsulation)
	// ErrParameterList means a parameter list (0x0002, 0x0003) instead of plain CDR. It is an [ErrEncapsulation].
	ErrParameterList = fmt.Errorf("%w: parameter list", ErrEncapsulation)
	// ErrBool means that a boolean is neither 0 nor 1.
	ErrBool = errors.New("cdr: boolean is neither 0 nor 1")
	// ErrBound means that a string or sequence exceeds its bound.
	ErrBound = errors.New("cdr: bound exceeded")
)

// DecodeError is a decoding error with its position.
type DecodeError struct {
	// Field is the field being decoded, "sensor_msgs/msg/LaserScan.ranges"; empty if it was not set with
	// [Decoder.Field].
	Field string
	// Offset is the position in the data passed to Reset, including the header, bytes.
	Offset int
	// Err is one of the package's sentinels, wrapped with the numbers.
	Err error
}

// Error names the field, the byte and the cause.
func (e *DecodeError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("%s: byte %d: %v", e.Field, e.Offset, e.Err)
}

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }
