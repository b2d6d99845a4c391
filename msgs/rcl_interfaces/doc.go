// SPDX-License-Identifier: Apache-2.0

// Package rcl_interfaces has the interfaces of every ROS 2 node: parameters with their six services and events, and log
// records.
package rcl_interfaces
