// SPDX-License-Identifier: Apache-2.0

package vmcu

// Bits of the settings byte.
const (
	settingCalibrate = 1 << 0
	settingAvoid     = 1 << 1 // an empty branch in the firmware
	settingSteps     = 1 << 2
)

// Receive takes a written message that has ended and returns how many of its
// bytes were acknowledged: no more than the firmware's buffer holds.
//
// What the processor does with the 21st byte is not known; refusing it and
// noting an error is this model's choice. An address probe is no message.
func (m *MCU) Receive(w []byte) int {
	if m.cfg.Firmware == York {
		return m.york.receive(m, w)
	}
	n := copy(m.rx[:], w)
	if n < len(w) {
		m.Disturbed()
		return n
	}
	if n == 0 {
		return 0
	}
	// The interrupt handler: copy, wake the command thread, build the reply.
	// The thread runs after the handler, so the reply shows the state before
	// the command.
	m.work = m.rx
	m.pending = true
	m.buildReply()
	m.runCommands()
	return n
}

// Disturbed notes an I²C error, which costs the next command.
func (m *MCU) Disturbed() { m.i2cErr = true }

// runCommands is the command thread. It returns when it would wait: for a
// message or for the end of a calibration.
func (m *MCU) runCommands() {
	for m.pending && !m.ir.waiting {
		m.pending = false
		if m.i2cErr { // looked at before the checksum
			m.i2cErr = false
			continue
		}
		if checksum(m.work[:CommandSize-1]) != m.work[CommandSize-1] {
			continue
		}
		m.obey()
	}
}

// obey does what a good command says, up to the calibration if it asks for one.
func (m *MCU) obey() {
	w := &m.work
	left, right := word(w[0], w[1]), word(w[2], w[3])
	m.melody.play(m.now, w[4])
	m.leds.set(w[5], w[6:18])
	if w[18]&settingCalibrate != 0 {
		m.startCalibration(left, right)
		return
	}
	m.move(left, right)
}

// move is the last part of a command. It looks at the settings of the newest
// message, which after a calibration need not be the one that began it.
func (m *MCU) move(left, right int16) {
	if m.work[18]&settingSteps != 0 {
		m.left.setPosition(int(left))
		m.right.setPosition(int(right))
		return
	}
	m.left.setSpeed(int(left))
	m.right.setSpeed(int(right))
}

func word(low, high byte) int16 { return int16(uint16(low) | uint16(high)<<8) }

// checksum is the XOR of all bytes.
func checksum(p []byte) byte {
	sum := byte(0)
	for _, b := range p {
		sum ^= b
	}
	return sum
}
