// SPDX-License-Identifier: Apache-2.0

package bmm150

import "errors"

// Sentinel errors of this chip; those that all chips share are in package device. Test for them with errors.Is.
var (
	// ErrTrim is matched when the trim data of the chip make no sense: without them there are no measurements.
	ErrTrim = errors.New("bmm150: no trim data")
	// ErrOverflow is matched by a field beyond the range of an axis.
	ErrOverflow = errors.New("bmm150: magnetic field out of range")
	// ErrImplausible is matched by a measurement without Hall resistance.
	ErrImplausible = errors.New("bmm150: implausible measurement")
)
