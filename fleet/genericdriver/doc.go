// SPDX-License-Identifier: Apache-2.0

// Package genericdriver is the ROS 2 node of any described robot: each device becomes topics, the joints become
// joint_states and transforms, two sets of wheels a differential drive, without code for that robot.
//
// machine.Devices ──► Component, one for each device ──► topics of a ros2.Node
// description     ──► robot_description, /tf_static, frames, names, rates
//
// Name, rate and activation of a device have three sources, in this order of priority: a ROS parameter, the settings
// file, the description (see [Settings]). Devices publish only while there is a subscriber.
//
// A device that this package does not support gets a component of the application, by the device's name: see [Config]
// and the example.
package genericdriver
