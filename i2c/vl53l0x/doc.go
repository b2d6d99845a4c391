// SPDX-License-Identifier: Apache-2.0

// Package vl53l0x drives ST's time-of-flight distance sensor VL53L0X.
//
//	device    address  on bus          tested                                        tried on hardware
//	VL53L0X   0x29     e-puck (i2c-12) recorded transactions, virtual chip sim/chip/vtof  no
//
// The chip has no default configuration: the driver runs ST's whole start-up procedure (soft reset, map of the
// reference SPADs, tuning settings, profile and timing budget, reference calibrations) and starts continuous ranging.
// That takes about 190 short transactions without waiting in between: [Dev.Poll] makes a few per call. Afterwards a
// Poll checks whether a measurement is ready, reads the result block and enables the next one:
//
//	0x13        0x14    0x16   0x18   0x1A    0x1C     0x1E
//	+-----------+-------+------+------+-------+--------+------+
//	| ready     | status| SPADs|      | signal| ambient| range|   all big-endian
//	| bits 0-2  | 3-6   | 8.8  |      | 9.7   | 9.7    | mm   |
//	+-----------+-------+------+------+-------+--------+------+
//
// At 100 kHz a measurement takes 2.0 ms of the bus, a Poll without a measurement 0.4 ms, and a Poll of the bring-up at
// most 3.2 ms (Opts.Budget). A missing chip costs one unacknowledged address per second, one that holds the clock the
// adapter's time-out per second.
//
// Distances follow REP 117: nothing within range is +Inf, a target that is too near is −Inf, and a fault of the chip is
// not a distance but an error.
//
// Sources: register values and their order from ST's API (STSW-IMG005) and its open re-implementations, of which only
// the numbers were used. The meaning of the tuning settings is not published.
package vl53l0x
