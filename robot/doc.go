// SPDX-License-Identifier: Apache-2.0

// Package robot describes the e-puck2: the dimensions of its body, wheels, sensors and LEDs, each with its source.
// Driver, odometry, simulator, mapper, planner and calibration use them; tests here and in internal/policy find copies.
//
// Lengths are in metres, angles in radians, in the robot's frame (REP 103: x forward, y left, z up, the origin on the
// floor between the wheels).
//
// Sources: [Webots] is the model of the robot in cyberbotics/webots, projects/robots/gctronic/e-puck,
// protos/E-puck.proto, E-puckDistanceSensor.proto and docs/e-puck.md; [firmware] is e-puck2/e-puck2_main-processor,
// branch gumstix; [GCtronic] is the data sheet of the robot (diameter 70 mm, weight 130 g); [epuck_ros2] is the
// robot's first ROS 2 driver, cyberbotics/epuck_ros2, driver.cpp.
package robot
