// SPDX-License-Identifier: Apache-2.0

package caminfo

import "errors"

// Sentinel errors. Test for them with errors.Is.
var (
	// ErrCalibration is matched by what is no calibration; the text names the field.
	ErrCalibration = errors.New("caminfo: bad calibration")
	// ErrURL is matched by a URL that names no file.
	ErrURL = errors.New("caminfo: bad URL")
)
