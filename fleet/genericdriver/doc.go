// SPDX-License-Identifier: Apache-2.0

// Package genericdriver is the ROS 2 node of any described robot: each device becomes topics, the joints become
// joint_states and transforms, two rows of wheels a differential drive, without code for that robot.
//
//	machine.Devices ──► Component, one for each device ──► topics of a ros2.Node
//	description     ──► robot_description, /tf_static, frames, names, rates
//
// What a device is called, how often it publishes and whether it does so at all has three sources: a ROS parameter,
// else the settings file, else the description (see [Settings]). Devices publish while there is a subscriber only.
//
// A device of which nothing is known here gets a component of yours, by its name: see [Config] and the example.
package genericdriver
