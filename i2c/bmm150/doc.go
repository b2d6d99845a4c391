// SPDX-License-Identifier: Apache-2.0

// Package bmm150 drives Bosch's magnetometer BMM150, which GCtronic sells as an add-on for the Pi-puck.
//
//	device  address    on bus          tested                                        tried on hardware
//	BMM150  0x10–0x13  board (i2c-11)  recorded transactions, virtual chip sim/chip/vmag  no
//
// The chip powers up suspended and measures three axes and the resistance of its Hall plate, which tells the
// temperature. Each chip is trimmed at the factory; the trim has to be applied here, with the Hall resistance of the
// same measurement:
//
//	0x42    0x44    0x46    0x48
//	+-------+-------+-------+--------+
//	| x 13  | y 13  | z 15  | Hall 14|  little-endian, aligned left; bit 0 of 0x48: new data
//	+-------+-------+-------+--------+
//
// It is told to measure once, sleeps when that is done, and what it has measured is fetched in the control cycle
// after: so the clock of the program makes the rate, not the chip's, and the time of a measurement is known to some
// milliseconds. A chip that measures by itself has a measurement of any age up to its period, which at full turn is
// 30 degrees at 8 Hz.
//
// At 100 kHz a measurement takes 1.3 ms of the bus, in two transactions.
//
// Source: data sheet BST-BMM150-DS001 and Bosch's sensor API for the compensation, of which the formulas were taken
// over and no code.
package bmm150
