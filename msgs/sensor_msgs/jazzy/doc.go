// SPDX-License-Identifier: Apache-2.0

// Package jazzy has the sensor messages whose layout on the wire changed after ROS 2 Humble. Range has an additional
// last field, the variance: a Humble reader accepts the longer message and ignores the end, a Jazzy reader rejects the
// shorter one.
package jazzy
