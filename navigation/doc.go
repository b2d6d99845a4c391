// SPDX-License-Identifier: Apache-2.0

// Package navigation drives a robot with two wheels from pose to pose: a turn on the spot towards the goal, a
// straight line, a turn to the goal's heading; with [Navigator] around obstacles. It is independent of clock and
// network: poses in, speeds out, at the caller's rate.
package navigation
