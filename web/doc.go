// SPDX-License-Identifier: Apache-2.0

// Package web shows and drives ROS 2 robots in a browser: a page, the protocols of Foxglove and rosbridge, a stream
// of JPEG pictures and metrics for Prometheus, all on one port. It uses the network like any other node, through
// topics, services and parameters, and does not depend on the robots' driver.
//
// It is idle without viewers: a topic is subscribed while a viewer shows it, a slow viewer gets the latest message of
// each topic, and publishing does not wait for viewers.
package web
