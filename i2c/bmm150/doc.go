// SPDX-License-Identifier: Apache-2.0

// Package bmm150 drives Bosch's magnetometer BMM150, which GCtronic sells as an add-on for the Pi-puck.
//
//	device  address    on bus          tested                                        tried on hardware
//	BMM150  0x10–0x13  board (i2c-11)  recorded transactions, virtual chip sim/chip/vmag  no
//
// The chip powers up suspended. It measures three axes and the resistance of its Hall plate, which depends on the
// temperature. Each chip has factory trim data, which have to be applied here, with the Hall resistance of the same
// measurement:
//
//	0x42    0x44    0x46    0x48
//	+-------+-------+-------+--------+
//	| x 13  | y 13  | z 15  | Hall 14|  little-endian, aligned left; bit 0 of 0x48: new data
//	+-------+-------+-------+--------+
//
// Each measurement is requested, after which the chip sleeps, and read in the next control cycle: so the rate is that
// of the program's clock, not of the chip's, and the time of a measurement is known to a few milliseconds. In the
// chip's own continuous mode the age of a measurement can be anything up to its period, which at full turn is 30
// degrees at 8 Hz.
//
// At 100 kHz a measurement takes 1.3 ms of the bus, in two transactions.
//
// Source: data sheet BST-BMM150-DS001, and Bosch's sensor API for the compensation (its formulas, not its code).
package bmm150
