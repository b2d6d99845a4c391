// SPDX-License-Identifier: Apache-2.0

package imu

import "errors"

// Sentinel errors of this chip; those that all chips share are in package device. Test for them with errors.Is.
var (
	// errLength is matched when a block of measurements has the wrong length.
	errLength = errors.New("imu: wrong length of a block")
	// errImplausible is matched by impossible measurements: all zero as from a sleeping chip, or all ones as from an
	// idle bus; and by a calibration with an implausible gravity.
	errImplausible = errors.New("imu: implausible measurement")
	// errNoMagnetometer is matched when there is no magnetometer.
	errNoMagnetometer = errors.New("imu: no magnetometer")
	// errMagnetometerLost is matched when a magnetometer has stopped answering or measuring.
	errMagnetometerLost = errors.New("imu: magnetometer lost")
	// errOverflow is matched by a magnetic field beyond the magnetometer's range.
	errOverflow = errors.New("imu: magnetic field out of range")

	// ErrNotCalibrated is matched while there is no calibration.
	ErrNotCalibrated = errors.New("imu: not calibrated")
	// ErrCalibrating is matched while a calibration is in progress.
	ErrCalibrating = errors.New("imu: calibration in progress")
	// ErrMoving is matched when the robot moved during a calibration; nothing was changed.
	ErrMoving = errors.New("imu: robot moved during the calibration")
	// errTilted is matched when a calibration required level ground and the robot was tilted; nothing was changed.
	errTilted = errors.New("imu: robot is not level")
)
