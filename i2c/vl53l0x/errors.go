// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import "errors"

// Sentinel errors of this chip; those that all chips share are in package device. Test for them with errors.Is.
var (
	// ErrHardware is matched when the chip reports that its laser or its calibration has failed; no distance is given.
	ErrHardware = errors.New("vl53l0x: hardware fault")
	// ErrNoUpdate is matched when the chip reports ready with a result that is none.
	ErrNoUpdate = errors.New("vl53l0x: no measurement in the result")
	// ErrLength is matched when a result block does not have its 12 bytes.
	ErrLength = errors.New("vl53l0x: wrong length of a result block")
	// ErrSPADs is matched when the chip's map of reference SPADs makes no sense.
	ErrSPADs = errors.New("vl53l0x: reference SPADs")
)
