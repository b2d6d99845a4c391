// SPDX-License-Identifier: Apache-2.0

// Package node implements mapping as a ROS 2 node: it integrates the readings of a robot's distance sensors, each at
// the pose of odometry at its time, into a map of package mapping, and publishes the map.
//
//	odom ─────────► poses ──┐
//	/tf_static ───► mounts ─┼─► mapping.ConeGrid ──► map, map_metadata, save_map
//	ps0 … tof, scan ────────┘
//
// It works for any robot with odometry: sensors with a cone by their Range topics, lidars by their LaserScan.
package node
