// SPDX-License-Identifier: Apache-2.0

// Package imu finds what corrects the sensors of an inertial measurement unit: a bias that is taken off and a matrix
// that the rest is multiplied by, for the accelerometer from six positions at rest, for the gyroscope from turns about
// one axis of which the angles are known, and for the magnetometer from the ellipsoid of its readings.
package imu
