// SPDX-License-Identifier: Apache-2.0

// Package nav_msgs has odometry, maps and paths.
package nav_msgs
