// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import "errors"

// Sentinel errors of this chip; those that all chips share are in package device. Test for them with errors.Is.
var (
	// errHardware is matched when the chip reports that its laser or its calibration has failed; no distance is given.
	errHardware = errors.New("vl53l0x: hardware fault")
	// errNoUpdate is matched when the chip reports ready with a result that is none.
	errNoUpdate = errors.New("vl53l0x: no measurement in the result")
	// errLength is matched when a result block does not have its 12 bytes.
	errLength = errors.New("vl53l0x: wrong length of a result block")
	// errSPADs is matched when the chip's map of reference SPADs makes no sense.
	errSPADs = errors.New("vl53l0x: reference SPADs")
)
