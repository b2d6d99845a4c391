// SPDX-License-Identifier: Apache-2.0

package table

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/battery"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/odometry"
)

// Reading is the result of one exchange, with one stamp. The builders of messages do not modify it.
type Reading struct {
	Stamp   builtin_interfaces.Time // end of the transfer
	Sensors mcu.Sensors
	Pose    odometry.State
	Period  float64 // time since the last published reading in seconds, 0 for the first
	First   bool    // the first one since the start, an outage or a restart of the robot
	Ahead   bool    // tof is fresh enough for the scan
	Set     *Settings

	// The parts' last measurements, each with the time of its own transfer.
	ToF     ToFReading
	IMU     IMUReading
	Ground  GroundReading
	Mag     MagReading
	Battery BatteryReading
}

// ToFReading is the last measurement of the time-of-flight sensor.
type ToFReading struct {
	Stamp    builtin_interfaces.Time
	Distance float64 // m; ±Inf as REP 117 has it
	At       time.Time
}

// IMUReading is the last measurement of the IMU in the robot's axes (REP 103: x forward, y left, z up).
type IMUReading struct {
	Stamp             builtin_interfaces.Time
	Accel, Gyro       [3]float64 // m/s² with gravity, rad/s
	AccelVar, GyroVar [3]float64 // variances about each axis, the same units squared; 0 unknown
}

// MagReading is the last measurement of the magnetometer.
type MagReading struct {
	Stamp    builtin_interfaces.Time
	Field    [3]float64 // T, the robot's axes
	Variance float64    // T², of each axis
}

// GroundReading is the last measurement of the ground sensors.
type GroundReading struct {
	Stamp  builtin_interfaces.Time
	Height [3]float64 // m, left, centre, right; +Inf over black or nothing
	Dark   bool       // neither reflection nor light was measured
}

// BatteryReading is the last measurement of the batteries.
type BatteryReading struct {
	battery.Reading
	Level battery.Level
	Stamp builtin_interfaces.Time
}
