// SPDX-License-Identifier: Apache-2.0

package robot

import "math"

// Sensor is the position and direction of a sensor.
type Sensor struct {
	X, Y, Z float64 // m
	// Heading is the direction of measurement, anticlockwise from ahead, rad.
	Heading float64
}

const degree = math.Pi / 180

const (
	// SensorHeight is the height of the infrared, light and time-of-flight sensors above the floor [Webots].
	SensorHeight = 0.033
	// LensForward and LensHeight are the position of the camera's lens ahead of the wheel axis and above the floor
	// [Webots].
	LensForward = 0.030
	LensHeight  = 0.028
	// InfraredAperture is the full angle of an infrared sensor's cone [Webots].
	InfraredAperture = 0.1
	// ToFAperture is that of the time-of-flight sensor [ST, VL53L0X data sheet DS11555, rev. 6, 6.1: 25°].
	ToFAperture = 25 * degree
)

// IMURotation returns the rotation from the axes of the IMU's accelerometer and gyroscope to those of the robot: row i
// is the robot's axis i in the chip's axes, so x = −raw y, y = raw x, z = raw z. It follows from the manufacturer's ROS
// driver and [firmware], and has not been measured on a robot: nose up must give a positive x acceleration, turning
// anticlockwise a positive z rate.
func IMURotation() [3][3]float64 { return [3][3]float64{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}} }

// Infrared returns the infrared and light sensors ps0 to ps7, clockwise from the front right [Webots].
func Infrared() [8]Sensor {
	return [8]Sensor{
		{0.030, -0.010, SensorHeight, -17.2 * degree},
		{0.022, -0.025, SensorHeight, -45.9 * degree},
		{0.000, -0.031, SensorHeight, -90.0 * degree},
		{-0.030, -0.015, SensorHeight, -151.5 * degree},
		{-0.030, 0.015, SensorHeight, 151.2 * degree},
		{0.000, 0.031, SensorHeight, 90.0 * degree},
		{0.022, 0.025, SensorHeight, 45.8 * degree},
		{0.030, 0.010, SensorHeight, 17.1 * degree},
	}
}

// ToF returns the time-of-flight sensor, which faces ahead [Webots].
func ToF() Sensor { return Sensor{X: 0.034, Y: -0.0018, Z: SensorHeight} }

// Ground returns the ground sensors left, centre and right, which face down [Webots, E-puckGroundSensors.proto].
func Ground() [3]Sensor {
	return [3]Sensor{{X: 0.033, Y: 0.010}, {X: 0.033}, {X: 0.033, Y: -0.010}}
}

// Camera returns the camera's lens, which faces ahead.
func Camera() Sensor { return Sensor{X: LensForward, Z: LensHeight} }
