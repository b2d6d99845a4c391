// SPDX-License-Identifier: Apache-2.0

// Package mapping builds occupancy grids from distance readings: a plane of square cells, each with the probability
// that it is occupied. Three methods are here, and the files and the measure to compare them.
//
//   - [Cones], the default, knows that a sensor with a wide cone looks past things.
//   - [LogOdds] adds evidence to every cell in the cone of a sensor: free before the reading, occupied at it.
//   - [Simple] is the method of the e-puck's ROS 2 thesis (webots_ros2_epuck's simple_mapper): a line of free cells and
//     one occupied cell at its end, the last reading wins. It is the baseline.
//
// A map is a [Map]: what nav_msgs/OccupancyGrid holds, and what Nav2's map_server reads and writes ([Map.Save],
// [Load]).
//
// All lengths are metres, all angles radians, x to the right, y up, in the frame of the map (REP 103). The package
// knows neither ROS nor robots.
package mapping
