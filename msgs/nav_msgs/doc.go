// SPDX-License-Identifier: Apache-2.0

// Package nav_msgs holds odometry, maps and routes.
package nav_msgs
