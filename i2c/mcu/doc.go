// SPDX-License-Identifier: Apache-2.0

// Package mcu communicates with the main processor of an e-puck2 over I2C.
//
// The robot's STM32F407 runs GCtronic's extension firmware (main processor firmware, branch gumstix, file
// src/gumstix.c) with the selector at 10 (A) and is then an I2C slave at address 0x1F. One exchange writes a command
// of 20 bytes and reads, after a repeated start, 47 bytes of sensors. All integers are little-endian.
//
// Command, Pi to MCU (see [Command]):
//
//	 0    1    2    3    4    5    6    8 9   11 12  14 15  17 18   19
//	+----+----+----+----+----+----+------+------+------+------+----+----+
//	|left     |right    |melo|LEDs| LED2 | LED4 | LED6 | LED8 |set-|XOR |
//	|steps/s  |steps/s  |dy  |1357| RGB% | RGB% | RGB% | RGB% |ting|0-18|
//	+----+----+----+----+----+----+------+------+------+------+----+----+
//
// Sensors, MCU to Pi (see [Sensors]):
//
//	 0          16         32          40   41   43   45   46
//	+----------+----------+-----------+----+----+----+----+----+
//	|proximity |ambient   |microphone |sel.|left|righ|RC5 |XOR |
//	|8 x int16 |8 x uint16|4 x uint16 |butt|step|step|code|0-45|
//	+----------+----------+-----------+----+----+----+----+----+
//
// # Missing acknowledgements
//
// The firmware acknowledges nothing. It silently drops a command with a bad checksum, and the command that follows
// any I2C error, while the sensor replies continue. Speeds and lights are not affected: they are sent again with the
// next cycle, and [Dev.Exchange] repeats a command at once when its packet follows an error. Melodies, IR calibration
// and step counters are executed once for each packet that is accepted, so [Dev] sends them with a receipt: see
// oneshot.go. The firmware has no motor watchdog either: it keeps the last speed, so the program must call [Dev.Halt]
// to stop.
package mcu
