// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import "errors"

// Sentinel errors of this chip; those that all chips share are in package device. Test for them with errors.Is.
var (
	// errHardware is matched when the chip reports a failure of its laser or of its calibration; there is no distance.
	errHardware = errors.New("vl53l0x: hardware fault")
	// errNoUpdate is matched when the chip reports ready, but the result has no measurement.
	errNoUpdate = errors.New("vl53l0x: no measurement in the result")
	// errLength is matched when a result block does not have 12 bytes.
	errLength = errors.New("vl53l0x: wrong length of a result block")
	// errSPADs is matched when the chip's map of reference SPADs is invalid.
	errSPADs = errors.New("vl53l0x: invalid reference SPADs")
)
