// SPDX-License-Identifier: Apache-2.0

package hardware

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
)

// Part is what all optional parts have in common.
type Part interface {
	// State returns the state of the part's start-up, as of the last Poll.
	State() device.State
	// String returns the part's name, with its bus and address if it has them.
	String() string
	// Halt switches the part off.
	Halt() error
}

// Sensor is a part that is polled for measurements of type T.
type Sensor[T any] interface {
	Part
	// Poll performs the next step of the sensor, in the time of a few transactions. fresh reports a new measurement.
	Poll(now time.Time) (fresh bool, err error)
	// Sense copies the latest measurement. The error matches device.ErrNoReading or device.ErrHalted without one.
	Sense(to *T) error
}

// ToF is the time-of-flight sensor ahead; distances are in m.
type ToF = Sensor[vl53l0x.Reading]

// Ground are the ground sensors: counts of 0 to 1023, which ground.Model converts to heights.
type Ground = Sensor[ground.Reading]

// Magnetometer measures the field in the robot's axes, T.
type Magnetometer interface {
	Sensor[bmm150.Reading]
	// Variance returns the variance of a measurement, T² per axis.
	Variance() float64
}

// IMU measures acceleration with gravity (m/s²) and angular velocity (rad/s) in the robot's axes, and the field if it
// has a magnetometer, T.
type IMU interface {
	Part
	Poll(now time.Time) (imu.Update, error)
	// Sense copies the latest sample, less the biases of the calibration in use.
	Sense(to *imu.Reading) error
	SenseField(to *imu.Field) error
	// HasMagnetometer reports whether a magnetometer answers.
	HasMagnetometer() bool
	Calibrated
}

// Calibrated is an IMU whose biases can be measured; see the methods of [imu.Dev].
type Calibrated interface {
	State() device.State
	Noise() (accel, gyro [3]float64)
	Calibration() (imu.Calibration, error)
	SetCalibration(c imu.Calibration) error
	Calibrate(o imu.CalibrationOpts) error
}

// LEDs are those of the Pi-puck board.
type LEDs interface {
	Part
	// Set sets LED 0, 1 or 2. It is safe for concurrent use.
	Set(led int, c pipuck.Colour) error
	Poll(now time.Time) error
	// Next returns the time at which a Poll will do something; a time in the past, or zero: at any call.
	Next() time.Time
}

// CameraSensor is the sensor of the camera, which must be set up before it yields pictures.
type CameraSensor interface {
	Part
	Poll(now time.Time) error
}

// Battery measures the voltages of the batteries.
type Battery interface {
	Part
	// Poll performs the next step. The error matches battery.ErrAbsent if there is no battery.
	Poll(now time.Time) (fresh bool, err error)
	Reading() battery.Reading
	// Next returns the time of the next measurement.
	Next() time.Time
}

// Button is the button of the Pi-puck.
type Button interface {
	Poll(now time.Time) pipuck.ButtonEvent
}
