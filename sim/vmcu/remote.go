// SPDX-License-Identifier: Apache-2.0

package vmcu

import "time"

const (
	// remoteSpeed is what the TV remote makes of a motor, steps/s.
	remoteSpeed = 600
	// remotePeriod is the shortest time between two codes that move the robot.
	remotePeriod = 200 * time.Millisecond
)

// remote is the TV remote's receiver and its motion thread (firmware
// ir_remote.c).
type remote struct {
	code    uint8
	pending bool          // the thread has been told of a code
	free    time.Duration // when the thread looks again
}

// Remote delivers a code of the TV remote, 7 bits; higher bits are cut off. The
// packet shows it from now on for ever; there is no sign of a repetition. Codes
// 1–9, 12, 16, 17, 32 and 33 also set the motors, at most five times a second,
// until the next command does.
func (m *MCU) Remote(code uint8) {
	if m.cfg.Firmware != Extension || m.now < m.readyAt {
		return
	}
	m.remote.code = code & 0x7f
	m.remote.pending = true
	if m.now >= m.remote.free {
		m.runRemote()
	}
}

// runRemote is one turn of the motion thread, with the newest code.
func (m *MCU) runRemote() {
	m.remote.pending = false
	m.remote.free = m.now + remotePeriod
	left, right, ok := remoteMotion(m.remote.code)
	if ok {
		m.left.setSpeed(left * remoteSpeed)
		m.right.setSpeed(right * remoteSpeed)
	}
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
