// SPDX-License-Identifier: Apache-2.0

// Package jazzy holds the sensor messages whose layout on the wire changed
// after ROS 2 Humble. Range gained a last field, the variance: a Humble
// reader takes the longer message and ignores the end, a Jazzy reader refuses
// the shorter one.
package jazzy
