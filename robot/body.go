// SPDX-License-Identifier: Apache-2.0

package robot

const (
	// BodyRadius is that of the round body [GCtronic: diameter 70 mm]. It is drawn, and what a map shows as taken.
	BodyRadius = 0.035
	// ContactRadius is that of the cylinder around all that sticks out: LEDs, sensors and tyres [Webots, bounding
	// object]. It touches walls, boxes and other robots, and blocks their light.
	ContactRadius = 0.037
	// ContactHeight is the height of the robot, with the Pi-puck, for light and for the sensors of others.
	// Measured of a drawing, to 5 mm.
	ContactHeight = 0.05
	// ShellHeight is the height of the body without the Pi-puck, ShellBottom where it begins above the floor [Webots].
	ShellHeight = 0.045
	ShellBottom = 0.0035
	// Mass is that of the robot with its battery, kg [GCtronic; Webots].
	Mass = 0.13
	// PlanningMargin is what a planner adds to ContactRadius for what a map and a path are not exact by. Chosen.
	PlanningMargin = 0.001
	// MapMargin is what a mapper adds to BodyRadius when it takes the place where the robot stands for free. Chosen:
	// less than the difference to ContactRadius, so that a wall it touches stays.
	MapMargin = 0.0005
)
