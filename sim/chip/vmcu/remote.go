// SPDX-License-Identifier: Apache-2.0

package vmcu

import "time"

const (
	// remoteSpeed is what the TV remote makes of a motor, steps/s.
	remoteSpeed = 600
	// remotePeriod is the length of a turn of the motion thread.
	remotePeriod = 200 * time.Millisecond
)

// remote is the TV remote's receiver and its motion thread.
type remote struct {
	code  uint8
	loop  time.Duration // when the thread's turn began
	wakes time.Duration // when its sleep ends
}

// Remote delivers a code of the TV remote, 7 bits; higher bits are cut off. The
// packet shows it from now on without limit, an extended code, 64 to 127, as its low
// six bits and bit 7 (ir_remote.c, 226 to 228); there is no sign of a repetition.
// Codes 1–9, 12, 16, 17, 32 and 33 also set the motors until the next command
// does.
//
// The motion thread waits for a code, obeys, and sleeps until 200 ms after it
// began to wait (ir_remote.c, 257 to 316): a code that comes after a pause is
// followed by no sleep, one that comes during the sleep is lost.
func (m *MCU) Remote(code uint8) {
	if m.cfg.Firmware != Extension || m.now < m.readyAt {
		return
	}
	m.remote.code = code & 0x3f
	if code&0x40 != 0 {
		m.remote.code |= 0x80
	}
	if m.now < m.remote.wakes {
		return
	}
	left, right, ok := remoteMotion(m.remote.code)
	if ok {
		m.drive(left*remoteSpeed, right*remoteSpeed)
	}
	m.remote.wakes = max(m.now, m.remote.loop+remotePeriod)
	m.remote.loop = m.remote.wakes
}

// remoteMotion returns the directions of both motors for a code. Codes above 9
// are those of remotes without figures.
func remoteMotion(code uint8) (left, right int, ok bool) {
	switch code {
	case 5, 12:
		return 0, 0, true
	case 2, 32:
		return 1, 1, true
	case 8, 33:
		return -1, -1, true
	case 6, 16:
		return 1, -1, true
	case 4, 17:
		return -1, 1, true
	case 3:
		return 1, 0, true
	case 1:
		return 0, 1, true
	case 9:
		return -1, 0, true
	case 7:
		return 0, -1, true
	}
	return 0, 0, false
}
