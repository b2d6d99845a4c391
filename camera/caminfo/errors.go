// SPDX-License-Identifier: Apache-2.0

package caminfo

import "errors"

// Sentinel errors. Test for them with errors.Is.
var (
	// errCalibration is matched by what is no calibration; the text names the field.
	errCalibration = errors.New("caminfo: bad calibration")
	// errURL is matched by a URL that names no file.
	errURL = errors.New("caminfo: bad URL")
)
