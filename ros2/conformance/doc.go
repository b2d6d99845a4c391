// SPDX-License-Identifier: Apache-2.0

// Package conformance tests the transports rtps and rclgo with the suite of package ros2test, alone and in pairs, with
// nodes on different transports.
//
// Its tests need an installed ROS 2: they are built with the tag "rclgo" (make test-rclgo) and use the middleware that
// RMW_IMPLEMENTATION names; without the tag they are skipped. In memory and over a virtual network the suite runs
// anywhere, as tests of packages ros2, ros2test and rmw.
package conformance
