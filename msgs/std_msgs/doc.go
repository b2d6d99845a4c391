// SPDX-License-Identifier: Apache-2.0

// Package std_msgs holds single values, flat arrays and the header with time
// and frame.
package std_msgs
