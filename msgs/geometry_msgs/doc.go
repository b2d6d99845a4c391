// SPDX-License-Identifier: Apache-2.0

// Package geometry_msgs has points, poses, velocities and forces, in metres, radians, seconds and newtons (REP 103).
package geometry_msgs
