// SPDX-License-Identifier: Apache-2.0

package robot

const (
	// WheelRadius is that of both wheels [Webots; cyberbotics/epuck_ros2, driver.cpp].
	WheelRadius = 0.02
	// WheelDistance is that of the wheels' contact points [cyberbotics/epuck_ros2, driver.cpp, measured by turning; the
	// drawing says 0.053].
	WheelDistance = 0.05685
	// WheelWidth is that of the tyres [Webots].
	WheelWidth = 0.005
	// StepsPerTurn is the number of full motor steps of one turn of a wheel, of 20 steps and a gear of 50 [Webots,
	// docs/e-puck.md].
	StepsPerTurn = 1000
	// MaxSteps is the fastest speed that the firmware takes, steps/s; it clips what is beyond [firmware, motors.h].
	MaxSteps = 1100
)
