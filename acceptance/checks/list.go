// SPDX-License-Identifier: Apache-2.0

package checks

// list returns the checks in their order: prerequisites of others first.
func list() []check {
	return []check{
		{"firmware", "asks the main processor for a packet and looks which of the robot's chips answer at their addresses", true, checkFirmware},
		{"packets", "exchanges packets at 20 Hz and counts what was late, not acknowledged or wrong", true, checkPackets},
		{"idle", "reads proximity, light, microphones, button and selector with nothing around", true, checkIdle},
		{"inertial", "reads accelerometer and gyroscope at rest", true, checkInertial},
		{"wheels", "turns each wheel alone for a second and compares steps with the command and with the gyroscope", true, checkWheels},
		{"stop", "drives ahead for a second, stops, and counts the steps after it", true, checkStop},
		{"battery", "reads the battery's voltage at rest and with the wheels turning", true, checkBattery},
		{"ground", "reads the ground sensors above a light floor", true, checkGround},
		{"computer", "reads the computer's temperature and free memory", true, checkComputer},
		{"infrared", "measures a card before each proximity sensor", false, checkInfrared},
		{"distance", "measures a sheet ahead with the time-of-flight sensor", false, checkDistance},
		{"tilt", "measures the direction of gravity while the robot leans", false, checkTilt},
		{"button", "waits for the user button", false, checkButton},
		{"selector", "reads the selector while it is turned", false, checkSelector},
		{"lights", "lights one LED after the other", false, checkLights},
		{"sound", "plays a melody", false, checkSound},
	}
}

// Sources of the expectations.
const (
	fromFirmware = "firmware, gumstix.c of the branch gumstix"
	fromMotors   = "firmware, motors.c: the timer makes 301.2 of 300 steps/s"
	fromIMU      = "InvenSense PS-MPU-9250A-01, 3.1 and 3.2: offset and noise"
	fromToF      = "Webots, E-puck.proto, the response of the sensor; ST DS11555, 3 % and offset of an uncalibrated chip"
	fromInfrared = "Webots, E-puckDistanceSensor.proto: the response to a white surface"
	fromBus      = "GCtronic's examples: 20 Hz; about 1 error in 1000 transfers by their comment"
	fromRobot    = "package robot: the measures of wheels and body with their sources"
	fromBattery  = "GCtronic: one lithium cell, 3.3 to 4.2 V"
	fromGround   = "Webots, E-puckGroundSensors.proto: 1000 counts above white"
	fromSoC      = "Raspberry Pi: throttles at 80 °C; the driver's budget of 24 MB"
)
