// SPDX-License-Identifier: Apache-2.0

// Package mapping builds occupancy grids from distance readings: a plane of square cells, each with the probability
// that it is occupied. It has three methods, file formats, and a score to compare them.
//
//   - [ConeGrid], the default, takes into account that a sensor with a wide cone sees past obstacles.
//   - [LogOdds] adds evidence to every cell in the cone of a sensor: free before the reading, occupied at it.
//   - [RayGrid] is the method of the e-puck's ROS 2 thesis (webots_ros2_epuck's simple_mapper): a line of free cells
//     and one occupied cell at its end; the last reading wins. It is the baseline.
//
// A map is a [Map]: what nav_msgs/OccupancyGrid holds, and what Nav2's map_server reads and writes ([Map.Save],
// [Load]).
//
// All lengths are metres, all angles radians, x to the right, y up, in the frame of the map (REP 103). The package
// depends neither on ROS nor on robots.
package mapping
