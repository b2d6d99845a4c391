// SPDX-License-Identifier: Apache-2.0

// Package builtin_interfaces holds ROS 2 time and duration, with conversions
// from and to package time.
package builtin_interfaces
