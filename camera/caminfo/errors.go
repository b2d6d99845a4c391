// SPDX-License-Identifier: Apache-2.0

package caminfo

import "errors"

// Sentinel errors. Test for them with errors.Is.
var (
	// errCalibration is wrapped by errors of invalid calibrations; the text names the field.
	errCalibration = errors.New("caminfo: invalid calibration")
	// errURL is wrapped by errors of URLs that name no file.
	errURL = errors.New("caminfo: invalid URL")
)
