// SPDX-License-Identifier: Apache-2.0

// Package urdf reads and writes robots as ROS has them: URDF, with the blocks for Gazebo in it that hold sensors and
// plug-ins in the words of SDF.
//
// Sources: the XML specification of urdf (links, joints and materials), sdformat.org's "SDFormat extensions to URDF"
// (the element gazebo). Files of xacro are not read: xacro makes URDF of them.
package urdf
