// SPDX-License-Identifier: Apache-2.0

// Package rosgraph_msgs has the message of the simulated clock.
package rosgraph_msgs
