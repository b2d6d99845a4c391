// SPDX-License-Identifier: Apache-2.0

package battery

import "errors"

// Sentinel errors. Test for them with errors.Is. A file that could not be read also matches the file system's own
// error.
var (
	// ErrAbsent is matched when the kernel has no battery converter; the error lists where it was searched.
	ErrAbsent = errors.New("battery: no battery converter")
	// errRead is matched when a file could not be read.
	errRead = errors.New("battery: file could not be read")
	// errFormat is matched when a file does not contain one decimal number.
	errFormat = errors.New("battery: not a number")
	// errImplausible is matched when the number is not a possible battery voltage.
	errImplausible = errors.New("battery: implausible voltage")
)
