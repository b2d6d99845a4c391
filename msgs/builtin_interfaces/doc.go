// SPDX-License-Identifier: Apache-2.0

// Package builtin_interfaces has the time and duration of ROS 2, with conversions from and to package time.
package builtin_interfaces
