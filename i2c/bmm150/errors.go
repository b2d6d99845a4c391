// SPDX-License-Identifier: Apache-2.0

package bmm150

import "errors"

// Sentinel errors of this chip; those that all chips share are in package device. Test for them with errors.Is.
var (
	// errTrim is matched when the trim data of the chip are invalid: without them there are no measurements.
	errTrim = errors.New("bmm150: invalid trim data")
	// errOverflow is matched by a field beyond the range of an axis.
	errOverflow = errors.New("bmm150: magnetic field out of range")
	// errImplausible is matched by a measurement without Hall resistance.
	errImplausible = errors.New("bmm150: implausible measurement")
)
