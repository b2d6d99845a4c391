// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/robot"
)

// Addresses, selected by pin AD0.
const (
	Addr    = 0x68
	AddrAlt = 0x69
)

// Model is the kind of chip that was found.
type Model uint8

// The models.
const (
	// ModelUnknown: not identified yet.
	ModelUnknown Model = iota
	// MPU9250 has an AK8963 in its package.
	MPU9250
	// MPU9255 is an MPU-9250 with another identity.
	MPU9255
	// MPU6500 is an MPU-9250 without magnetometer.
	MPU6500
	// ICM20948 has an AK09916 in its package.
	ICM20948
	numModels
)

var modelNames = [numModels]string{"unknown IMU", "MPU-9250", "MPU-9255", "MPU-6500", "ICM-20948"}

// String returns the maker's name of the model.
func (m Model) String() string {
	if m < numModels {
		return modelNames[m]
	}
	return fmt.Sprintf("model %d", uint8(m))
}

// mpuModel returns the model of the MPU family by register 0x75.
func mpuModel(whoAmI byte) Model {
	switch whoAmI {
	case 0x71:
		return MPU9250
	case 0x73:
		return MPU9255
	case 0x70:
		return MPU6500
	}
	return ModelUnknown
}

// icmIdentity is the value of register 0x00 of bank 0 of an ICM-20948.
const icmIdentity = 0xEA

// Noise densities at rest, per √Hz, from the data sheets.
func (m Model) noiseDensity() (accel, gyro float64) {
	if m == ICM20948 {
		return 230e-6 * standardGravity, 0.015 * radPerDegree
	}
	return robot.AccelNoiseDensity, robot.GyroNoiseDensity
}
