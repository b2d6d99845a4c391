// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"errors"
	"fmt"
)

// Errors of the codec. A decoding error arrives as a [*DecodeError] that wraps
// one of them, so errors.Is tells them apart and a caller can count each kind.
var (
	// ErrShort reports data that ends before the value does, or a count that
	// needs more bytes than are left.
	ErrShort = errors.New("cdr: data too short")
	// ErrEncapsulation reports an encapsulation identifier that is not plain CDR.
	ErrEncapsulation = errors.New("cdr: unsupported encapsulation")
	// ErrXCDR2 reports an XCDR2 encapsulation (0x0006 … 0x000b). It is an [ErrEncapsulation].
	ErrXCDR2 = fmt.Errorf("%w: XCDR2", ErrEncapsulation)
	// ErrParameterList reports a parameter list (0x0002, 0x0003) where plain
	// CDR belongs. It is an [ErrEncapsulation].
	ErrParameterList = fmt.Errorf("%w: parameter list", ErrEncapsulation)
	// ErrBool reports a boolean byte other than 0 and 1.
	ErrBool = errors.New("cdr: boolean is neither 0 nor 1")
	// ErrBound reports a string or sequence longer than its type allows.
	ErrBound = errors.New("cdr: bound exceeded")
)

// DecodeError says where decoding stopped.
type DecodeError struct {
	// Field is the field being decoded, "sensor_msgs/msg/LaserScan.ranges";
	// it is empty where the caller named none (see [Decoder.Field]).
	Field string
	// Offset is the position in bytes in the data given to Reset, header included.
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
