// SPDX-License-Identifier: Apache-2.0

package imu

import "errors"

// Sentinel errors of this chip; those that all chips share are in package device. Test for them with errors.Is.
var (
	// ErrLength is matched when a block of measurements does not have its length.
	ErrLength = errors.New("imu: wrong length of a block")
	// ErrImplausible is matched by measurements no chip makes: all zero as while asleep, or all ones as on an idle bus;
	// and by a calibration whose gravity is not that of the earth.
	ErrImplausible = errors.New("imu: implausible measurement")
	// ErrNoMagnetometer is matched when there is no magnetometer to read.
	ErrNoMagnetometer = errors.New("imu: no magnetometer")
	// ErrMagnetometerLost is matched when the magnetometer was there and has stopped to answer or to measure.
	ErrMagnetometerLost = errors.New("imu: magnetometer lost")
	// ErrOverflow is matched by a magnetic field beyond the magnetometer's range.
	ErrOverflow = errors.New("imu: magnetic field out of range")

	// ErrNotCalibrated is matched while no calibration has been made or set.
	ErrNotCalibrated = errors.New("imu: not calibrated")
	// ErrCalibrating is matched while a calibration is under way.
	ErrCalibrating = errors.New("imu: calibration under way")
	// ErrMoving is matched when the robot moved during a calibration; nothing was changed.
	ErrMoving = errors.New("imu: robot moves during the calibration")
	// ErrTilted is matched when a calibration was to take the ground for level and it is not; nothing was changed.
	ErrTilted = errors.New("imu: robot does not stand level")
)
