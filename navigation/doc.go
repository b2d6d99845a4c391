// SPDX-License-Identifier: Apache-2.0

// Package navigation drives a robot with two wheels from pose to pose: a turn on the spot towards the place, a straight
// line, a turn to the heading that is wanted there. It is mathematics: poses in, speeds out; who has them runs it at
// his own rate.
package navigation
