// SPDX-License-Identifier: Apache-2.0

// Package rospackage has the tests of deploy/ros, the ROS 2 package of the program: its files must be well formed
// and agree with the driver's own tables. It has no code of its own.
package rospackage
