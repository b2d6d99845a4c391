// SPDX-License-Identifier: Apache-2.0

// Package vmcu is the e-puck2's main processor as its bus sees it: the
// "extension" firmware (GCtronic, branch gumstix, commit b346841) written
// anew from its observable behaviour, quirk for quirk.
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
//     write before.
//   - A bad checksum silently drops the command, and an I²C error drops the
//     next command whatever its checksum.
//   - The last speed holds for ever, clipped to ±1100 and made a whole number
//     of 10 µs timer ticks per half step. A new period begins only when the
//     running one ends, within 10 ms from a standstill.
//   - The counters are 32-bit counts of half steps, halved and cut to 16 bits.
//   - Setting the counters leaves the speed as it was.
//   - IR calibration blocks the command thread for about a second; replies go
//     on, commands are latched (the latest wins), the motors keep turning.
//   - A melody cannot be stopped and starts anew if its number is still sent.
//   - The TV remote's last code stays for ever, and some codes turn the motors.
//   - Microphone 0 measures peak to peak, 1 to 3 from zero.
//   - RGB values over 100 leave a colour unchanged.
//
// An [MCU] has no clock of its own: its owner calls Advance, and Sample at
// every infrared cycle. It is not safe for concurrent use.
package vmcu

import "time"

// Address is the 7-bit address of the processor on the I²C bus.
const Address = 0x1F

// Sizes of the packets, bytes.
const (
	CommandSize = 20
	ReplySize   = 47
)

// SamplePeriod is the time from one infrared measurement of all sensors to the
// next, and the length of a microphone window.
const SamplePeriod = 10 * time.Millisecond

// MessageTimeout is how long the firmware waits for the end of one message on
// the bus.
const MessageTimeout = 100 * time.Millisecond

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
	// stood at 10 when it started.
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
