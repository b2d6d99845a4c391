// SPDX-License-Identifier: Apache-2.0

// Package std_msgs has single values, flat arrays and the header with time and frame.
package std_msgs
