// SPDX-License-Identifier: Apache-2.0

package robot

const (
	// BodyRadius is the radius of the round body [GCtronic: diameter 70 mm], as it is drawn and as a map shows it.
	BodyRadius = 0.035
	// ContactRadius is the radius of the cylinder around all protruding parts: LEDs, sensors and tyres [Webots,
	// bounding object]. It collides with walls, boxes and other robots, and blocks their light.
	ContactRadius = 0.037
	// ContactHeight is the height of the robot with the Pi-puck, for light and for the sensors of other robots.
	// Measured in a drawing, to 5 mm.
	ContactHeight = 0.05
	// ShellHeight is the height of the body without the Pi-puck, ShellBottom its clearance above the floor [Webots].
	ShellHeight = 0.045
	ShellBottom = 0.0035
	// Mass is the mass of the robot with its battery, kg [GCtronic; Webots].
	Mass = 0.13
	// PlanningMargin is what a planner adds to ContactRadius for the errors of map and path. Chosen.
	PlanningMargin = 0.001
	// MapMargin is what a mapper adds to BodyRadius when it clears the cells that the robot covers. Chosen: less than
	// the difference to ContactRadius, so that a wall that the robot touches is kept.
	MapMargin = 0.0005
)
