// SPDX-License-Identifier: Apache-2.0

// Package action serves and uses the actions of ROS 2: work that takes its time, tells how it goes, can be ended early,
// and has a result at the end, such as driving to a place.
//
// An action is three services and two topics under one name (design.ros2.org, "Actions"; the names are those of
// rcl_action): a goal is sent with "_action/send_goal", ended early with "_action/cancel_goal", its result asked for
// with "_action/get_result"; "_action/feedback" tells how it goes, and "_action/status" in which state every goal is.
//
// Generated actions, such as example_interfaces.Fibonacci{}, name the types. A [Server] runs a function for each goal
// on a goroutine of its own; a [Client] sends goals and follows them. Both work over every transport that carries
// services.
package action
