// SPDX-License-Identifier: Apache-2.0

// Package node implements navigation as a ROS 2 node: it drives a robot to poses around the obstacles that its own
// distance sensors observe, with the names and types of Nav2, so that it works with RViz' "2D Goal Pose", Nav2's
// clients and `epuck-driver goto`.
//
// goal_pose, navigate_to_pose, follow_waypoints ──► goals ─┐
// odom, /tf ──────────────────────────────────────► pose ──┼─► navigation.Navigator ──► cmd_vel, plan, seen
// ps0 … tof, scan ────────────────────────────────► beams ─┘
//
// It computes and publishes a command for each message of odometry. Without odometry it publishes none, and the robot
// stops by its own time-out. Between goals it publishes no cmd_vel.
package node
