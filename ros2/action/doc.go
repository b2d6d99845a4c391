// SPDX-License-Identifier: Apache-2.0

// Package action implements action servers and clients of ROS 2. Actions are long-running goals, such as driving to a
// position, with feedback, cancellation and a result.
//
// An action is three services and two topics under one name (design.ros2.org, "Actions"; the names are those of
// rcl_action): "_action/send_goal" sends a goal, "_action/cancel_goal" cancels it, "_action/get_result" requests its
// result; "_action/feedback" publishes feedback, and "_action/status" the states of all goals.
//
// Generated actions, such as example_interfaces.Fibonacci{}, define the types. A [Server] runs a handler for each goal
// on a separate goroutine; a [Client] sends goals and follows them. Both work over every transport that supports
// services.
package action
