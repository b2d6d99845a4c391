// SPDX-License-Identifier: Apache-2.0

package vmcu

import "time"

// Bits of the settings byte.
const (
	settingCalibrate = 1 << 0
	settingAvoid     = 1 << 1 // an empty branch in the firmware
	settingSteps     = 1 << 2
)

// latencyStream is the stream of chance for the latency of commands; the
// microphones have 0 to 3.
const latencyStream = 100

// cut is a write that was given up and has not ended on the wire yet.
type cut struct {
	open  bool
	since time.Duration
}

// Receive takes a written message that has ended and returns how many of its
// bytes were acknowledged: all of them. Its first 20 count, and what is missing
// of 20 is of the write before: an address probe, which has none, is the last
// command once more (gumstix.c, 117: twenty bytes are copied, however many came).
func (m *MCU) Receive(w []byte) int {
	if m.cfg.Firmware == York {
		return m.york.receive(m, w)
	}
	m.endCut()
	copy(m.rx[:], w)
	m.arrive()
	return len(w)
}

// messageTime is how long a command takes on the bus at least: 21 bytes with the address at 100 kHz.
const messageTime = 21 * 90 * time.Microsecond

// arrive is the interrupt handler at the end of a message: copy, wake the
// command thread, build the reply. The thread runs after the handler, so the
// reply shows the state before the command.
func (m *MCU) arrive() {
	if m.Waking() && m.cfg.Latency <= messageTime { // also on a bus whose transfers take no simulated time
		m.runCommands()
	}
	m.work = m.rx
	m.buildReply()
	if m.pending {
		return // the thread is already signalled, and will see this message
	}
	m.pending = true
	m.messages++
	m.runAt = m.now
	if m.cfg.Latency > 0 {
		m.runAt += time.Duration(float64(m.cfg.Latency) * m.cfg.Noise.Stream(latencyStream).Float64(m.messages))
		return
	}
	m.runCommands()
}

// Cut takes the bytes of a write that the adapter gave up; ended reports whether
// with a stop. Its bytes are in the buffer, and it is a short message: at the
// stop, or else at the next start, unless that takes so long that the firmware
// gives it up as well and notes an error.
func (m *MCU) Cut(w []byte, ended bool) {
	if m.cfg.Firmware == York {
		return
	}
	m.endCut()
	copy(m.rx[:], w)
	if ended {
		m.arrive()
		return
	}
	m.cut = cut{open: true, since: m.now}
}

// endCut is a start on the bus after a write without a stop.
func (m *MCU) endCut() {
	if !m.cut.open {
		return
	}
	m.cut.open = false
	if m.now-m.cut.since >= MessageTimeout {
		m.Disturbed()
		return
	}
	m.arrive()
	if !m.ir.waiting { // the new message takes longer than any latency
		m.runCommands()
	}
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
		if checksum(m.work[:commandSize-1]) != m.work[commandSize-1] {
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
	m.drive(int(left), int(right))
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
