// SPDX-License-Identifier: Apache-2.0

// Package rospackage holds the tests of deploy/ros, the ROS 2 package around the
// program: its files must be well formed and must agree with the
// driver's own tables. It has no code of its own.
package rospackage
