// SPDX-License-Identifier: Apache-2.0

// Package wheels estimates the radii of both wheels of a differential drive and their distance from runs with known
// wheel angles and a known true end pose.
//
// Borenstein and Feng's UMBmark (IEEE Transactions on Robotics and Automation 12(6), 1996) is the closed form of it,
// from squares driven in both directions. With wheels 57 mm apart its small-angle approximation is not valid, so
// [Estimate] uses it as the start of a least-squares search that compares the measured ends with those computed from
// the recorded angles. The slip of the wheels is estimated at the same time (Mandel and Paule's method), and runs
// that do not fit the others are reported and left out.
//
// [Spin] needs no ruler: the readings of a robot that turns near a wall repeat after each turn.
package wheels
