// SPDX-License-Identifier: Apache-2.0

// Package imu estimates the corrections of an inertial measurement unit, a bias that is subtracted and a matrix
// by which the difference is multiplied: for the accelerometer from six positions at rest, for the gyroscope from
// turns by known angles about one axis, and for the magnetometer from the ellipsoid of its readings.
package imu
