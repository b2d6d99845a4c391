// SPDX-License-Identifier: Apache-2.0

// Package rosbag2_interfaces has the services and events of programs that record and play bags.
package rosbag2_interfaces
