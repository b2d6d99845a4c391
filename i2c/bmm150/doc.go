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
// At 100 kHz a measurement takes 1.0 ms of the bus.
//
// Source: data sheet BST-BMM150-DS001 and Bosch's sensor API for the compensation, of which the formulas were taken
// over and no code.
package bmm150
