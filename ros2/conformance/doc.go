// SPDX-License-Identifier: Apache-2.0

// Package conformance tests all transports with the suite of package ros2test, alone and in pairs, with nodes on
// different transports.
//
// In memory and over a virtual network it runs anywhere. The tests with an installed ROS 2 are built with the tag
// "rclgo" (make test-rclgo) and use the middleware that RMW_IMPLEMENTATION names; without the tag they are skipped.
package conformance
