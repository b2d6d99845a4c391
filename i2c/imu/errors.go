// SPDX-License-Identifier: Apache-2.0

package imu

import "errors"

// Sentinel errors of this chip; those that all chips share are in package device. Test for them with errors.Is.
var (
	// errLength is matched when a block of measurements does not have its length.
	errLength = errors.New("imu: wrong length of a block")
	// errImplausible is matched by measurements no chip makes: all zero as while asleep, or all ones as on an idle bus;
	// and by a calibration whose gravity is not that of the earth.
	errImplausible = errors.New("imu: implausible measurement")
	// errNoMagnetometer is matched when there is no magnetometer to read.
	errNoMagnetometer = errors.New("imu: no magnetometer")
	// errMagnetometerLost is matched when the magnetometer was there and has stopped to answer or to measure.
	errMagnetometerLost = errors.New("imu: magnetometer lost")
	// errOverflow is matched by a magnetic field beyond the magnetometer's range.
	errOverflow = errors.New("imu: magnetic field out of range")

	// ErrNotCalibrated is matched while no calibration has been made or set.
	ErrNotCalibrated = errors.New("imu: not calibrated")
	// ErrCalibrating is matched while a calibration is under way.
	ErrCalibrating = errors.New("imu: calibration under way")
	// ErrMoving is matched when the robot moved during a calibration; nothing was changed.
	ErrMoving = errors.New("imu: robot moves during the calibration")
	// errTilted is matched when a calibration was to take the ground for level and it is not; nothing was changed.
	errTilted = errors.New("imu: robot does not stand level")
)
