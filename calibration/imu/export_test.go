// SPDX-License-Identifier: Apache-2.0

package imu

// Names for the package's external tests.
const (
	Gravity = gravity
	XDown   = xDown
	XUp     = xUp
	YDown   = yDown
	YUp     = yUp
	ZDown   = zDown
	ZUp     = zUp
)

var (
	Identity = identity
)
