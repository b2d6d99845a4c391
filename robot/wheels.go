// SPDX-License-Identifier: Apache-2.0

package robot

const (
	// WheelRadius is the radius of both wheels [Webots; epuck_ros2].
	WheelRadius = 0.02
	// WheelDistance is the distance between the wheels' contact points [epuck_ros2, measured by
	// turning; the drawing has 0.053].
	WheelDistance = 0.05685
	// WheelWidth is the width of the tyres [Webots].
	WheelWidth = 0.005
	// StepsPerTurn is the number of motor steps for one turn of a wheel: 20 full steps and a gear ratio of 50 [Webots,
	// docs/e-puck.md].
	StepsPerTurn = 1000
	// MaxSteps is the maximum motor speed, steps/s, to which the firmware clips commands [firmware, motors.h].
	MaxSteps = 1100
)
