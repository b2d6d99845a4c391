// SPDX-License-Identifier: Apache-2.0

// Package wheels estimates the radii of both wheels of a differential drive and their distance from runs with known
// wheel angles and a known true end pose.
//
// Borenstein and Feng's UMBmark (IEEE Transactions on Robotics and Automation 12(6), 1996) is the closed form of it,
// from squares driven both ways; with wheels 57 mm apart its small angles are not small, so [Estimate] uses it as the
// start of a least-squares search on the ends that the recorded angles lead to. How much the wheels slip is estimated
// along (Mandel and Paule's method), and runs that do not fit the others are named and left out.
//
// [Spin] needs no ruler: the readings of a robot that turns near a wall repeat after one turn.
package wheels
