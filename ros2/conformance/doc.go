// SPDX-License-Identifier: Apache-2.0

// Package conformance holds all transports to one contract: the suite of package
// ros2test runs here on every transport there is, and on pairs of them, a node on
// one talking to a node on the other.
//
// In memory and over a virtual network it runs anywhere. What needs ROS 2 itself
// is built with the tag "rclgo" (make test-rclgo) and runs with the middleware
// that RMW_IMPLEMENTATION names; without the tag the tests say that it did not
// run.
package conformance
