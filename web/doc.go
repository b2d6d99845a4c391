// SPDX-License-Identifier: Apache-2.0

// Package web shows ROS 2 robots in a browser and lets people drive them: a page, Foxglove's and rosbridge's protocols,
// a stream of JPEG pictures and numbers for Prometheus, all on one port. It sees the network as any other node does,
// through topics, services and parameters, and knows nothing of the robots' driver.
//
// Without viewers it does nothing: a topic is subscribed while a viewer shows it, a viewer that does not keep up
// gets the latest of each topic, and no viewer is waited for.
package web
