// SPDX-License-Identifier: Apache-2.0

// Package ground reads the e-puck2's optional ground-sensor board.
//
//	device              bus      address  tested                                       on hardware
//	ground sensor board e-puck   0x60     recorded transactions, virtual chip, faults  not tried
//
// The board has three infrared sensors facing the floor, left, centre and right; a later edition has two more at the
// edges, which detect a cliff. It needs no initialisation. Its registers are bytes, words are big-endian (sources: York
// Robotics Laboratory's ground-sensor-test.py; GCtronic's main processor firmware, sensors/ground.c, which also shows
// that all of them may be read in one transaction):
//
//	 0x00              0x06              0x0C     0x0D             0x11
//	+-----------------+-----------------+--------+----------------+----------------+
//	|reflected        |ambient          |software|cliff reflected |cliff ambient   |
//	|left centre right|left centre right|revision|right left      |right left      |
//	+-----------------+-----------------+--------+----------------+----------------+
//
// [Dev.Poll] makes one transaction: a probe of everything while the board is absent, a burst of 12 bytes while it is
// present, or of 21 with cliff sensors. The order of the two cliff words and how a board without cliff sensors is
// distinguished from one with them (cliffAuto) are inferred, not documented.
package ground
