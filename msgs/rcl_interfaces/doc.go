// SPDX-License-Identifier: Apache-2.0

// Package rcl_interfaces holds what every ROS 2 node offers: parameters with
// their six services and events, and log records.
package rcl_interfaces
