// SPDX-License-Identifier: Apache-2.0

// Package vmcu simulates the e-puck2's main processor on its I²C bus: an independent implementation of the
// observable behaviour of the "extension" firmware (GCtronic, branch gumstix, commit b346841), with its faults.
//
// A command is 20 bytes, a reply 47, integers little-endian:
//
//	command 0        2         4       5     6    9    12   15   18        19
//	        +--------+---------+-------+-----+----+----+----+----+---------+-----+
//	        | left   | right   | melody| LEDs| LED2 4    6    8  | settings| XOR |
//	        | int16  | int16   |       |     | R G B, percent    |         | 0-18|
//	        +--------+---------+-------+-----+-------------------+---------+-----+
//
//	reply   0            16          32       40         41    43    45     46
//	        +------------+-----------+--------+----------+-----+-----+------+-----+
//	        | proximity  | ambient   | mic    | selector | left|right|remote| XOR |
//	        | 8 × int16  | 8 × uint16| 4×u16  | + button | int16 ×2  |      | 0-45|
//	        +------------+-----------+--------+----------+-----+-----+------+-----+
//
// What the firmware does that one would not guess, and this package does too:
//
//   - The reply is built when a write ends; a read alone repeats the last one,
//     47 zero bytes at first.
//   - A write of any length counts as a command; missing bytes are those of the
//     write before, bytes after the twentieth are acknowledged and lost. So an
//     address probe (a write of no bytes, i2cdetect) is the last command again.
//   - A write that is given up half way is a short one, at the next start or
//     stop; only 100 ms without either, and errors of the bus itself, are an
//     I²C error.
//   - A read beyond the reply's end repeats its last byte.
//   - After a reset the processor does not answer for 1.004 s, the first command of all
//     acts up to 0.66 s late, and the colours go dark after 1.05 s.
//   - A bad checksum silently drops the command, and an I²C error drops the
//     next command, with a right checksum, too.
//   - The last speed holds without limit, clipped to ±1100 and made a whole number
//     of 10 µs timer ticks per half step. A new period begins only when the
//     running one ends, within 10 ms from a standstill.
//   - The counters are 32-bit counts of half steps, halved and cut to 16 bits.
//   - Setting the counters leaves the speed as it was.
//   - IR calibration blocks the command thread for about a second; replies go
//     on, commands are latched (the latest wins), the motors keep turning.
//   - A melody cannot be stopped and starts anew if its number is still sent.
//   - The TV remote's last code stays without limit, with bit 7 set for an extended
//     one, and some codes turn the motors; a code soon after another is lost.
//   - Started at some other selector positions, it becomes a slave when turned
//     to 10.
//   - Microphone 0 measures peak to peak, 1 to 3 from zero.
//   - RGB values over 100 leave a colour unchanged.
//
// Where a comment names a file and a line, it is of the firmware's src folder at
// commit 517ef07. docs/reference/firmware.md says how the two were compared.
//
// An [MCU] has no clock of its own: its owner calls Advance, and Sample at
// every infrared cycle. It is not safe for concurrent use.
package vmcu

import "time"

// Address is the 7-bit address of the processor on the I²C bus.
const Address = 0x1F

// Sizes of the packets, bytes.
const (
	commandSize = 20
	ReplySize   = 47
)

// SamplePeriod is the time from one infrared measurement of all sensors to the
// next, and the length of a microphone window.
const SamplePeriod = 10 * time.Millisecond

// MessageTimeout is how long the firmware waits for the end of one message on
// the bus.
const MessageTimeout = 100 * time.Millisecond

// Times after a reset.
const (
	// BootTime is how long the processor does not answer: it sleeps a second for the sake
	// of USB before it starts anything (usbcfg.c, 337; main.c, 394), and 4 ms more
	// were measured by running the firmware's code.
	BootTime = 1004 * time.Millisecond
	// FirstPeriod is the first period of the motors' timers, which the first
	// command waits for.
	FirstPeriod = firstInterval * Tick

	// afterMotors is the part of BootTime after the motors' timers have started.
	afterMotors = 4 * time.Millisecond
	// radioStart is when the first colours, dark, reach the radio module, after
	// the motors' start (spi_comm.c, 33 sleeps 50 ms).
	radioStart = 50 * time.Millisecond
)

// Latency is the longest time a command waits for its thread: the thread that
// talks to the radio module waits busily between two transfers (spi_comm.c, 118).
const Latency = 850 * time.Microsecond

// Tick is the period of the motors' 100 kHz timers; no event is finer.
const Tick = 10 * time.Microsecond

// SpeedLimit is where the firmware clips speeds, steps/s.
const SpeedLimit = 1100

// StepsPerTurn is the number of motor steps of one wheel turn; the counters
// count these, the motors move by halves of them.
const StepsPerTurn = 1000

// Firmware says which program the processor runs.
type Firmware uint8

// The firmwares.
const (
	// Extension is the firmware for the Pi-puck; it answers while the selector
	// was at 10 when it started.
	Extension Firmware = iota
	// Standard is GCtronic's usual firmware, an I²C master: no answer.
	Standard
	// York is the register protocol of the University of York, made to resemble
	// the e-puck1.
	York
)

// String returns the name used in world files.
func (f Firmware) String() string {
	switch f {
	case Extension:
		return "extension"
	case Standard:
		return "standard"
	case York:
		return "york"
	}
	return "unknown"
}

// extensionSelector is the selector position in which the extension firmware
// becomes an I²C slave.
const extensionSelector = 10
