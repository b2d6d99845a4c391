// SPDX-License-Identifier: Apache-2.0

// Package rosgraph_msgs holds the simulated clock.
package rosgraph_msgs
