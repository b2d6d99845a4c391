// SPDX-License-Identifier: Apache-2.0

// Package iron has the messages of the topic ros_discovery_info in the layout of ROS 2 Iron and later, with GIDs of 16
// bytes.
package iron
