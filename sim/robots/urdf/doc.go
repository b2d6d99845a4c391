// SPDX-License-Identifier: Apache-2.0

// Package urdf reads and writes robots that are described for ROS: URDF, with the elements for Gazebo in it that
// describe sensors and plug-ins in SDF.
//
// Sources: the XML specification of urdf (links, joints and materials), sdformat.org's "SDFormat extensions to URDF"
// (the element gazebo). Files of xacro are not read: xacro makes URDF of them.
package urdf
