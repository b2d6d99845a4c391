// SPDX-License-Identifier: Apache-2.0

package vmcu

import "time"

const (
	// calibrationSamples are averaged by a calibration.
	calibrationSamples = 100
	// calibrationPoll is how often the command thread looks whether it is over.
	calibrationPoll = 20 * time.Millisecond
)

// infrared is the proximity thread's memory (firmware proximity.c).
type infrared struct {
	latest int64    // number of the last complete cycle
	zero   [8]int32 // initValue: 0 at boot, the mean after a calibration

	// A calibration: the command thread waits, looking every 20 ms; the
	// proximity thread first clears zero and then adds up samples.
	waiting     bool
	poll        time.Duration
	active      bool
	cleared     bool
	count       int
	sum         [8]int32
	left, right int16 // of the command that began it

	values Infrared // where measured puts them
}

// Sample completes infrared cycle n. While the processor
// calibrates, every cycle must be completed by a call.
func (m *MCU) Sample(n int64) {
	m.ir.latest = n
	if !m.ir.active {
		return
	}
	if !m.ir.cleared {
		m.ir.zero, m.ir.sum, m.ir.count = [8]int32{}, [8]int32{}, 0
		m.ir.cleared = true
		return
	}
	s := m.measured()
	for i, v := range s.Delta {
		m.ir.sum[i] += int32(v)
	}
	m.ir.count++
	if m.ir.count == calibrationSamples {
		for i, v := range m.ir.sum {
			m.ir.zero[i] = v / calibrationSamples
		}
		m.ir.active = false
	}
}

// Calibrating reports whether infrared calibration is running.
func (m *MCU) Calibrating() bool { return m.ir.waiting }

// measured returns the latest cycle's values: zeros before the first is complete.
func (m *MCU) measured() *Infrared {
	if m.now < m.motorsAt+SamplePeriod {
		m.ir.values = Infrared{}
		return &m.ir.values
	}
	m.cfg.Environment.Infrared(m.ir.latest, &m.ir.values)
	return &m.ir.values
}

func (m *MCU) startCalibration(left, right int16) {
	m.ir.waiting, m.ir.active, m.ir.cleared = true, true, false
	m.ir.left, m.ir.right = left, right
	// A sleep counts the processor's ticks of a millisecond and ends with one.
	m.ir.poll = m.resetAt + (m.now - m.resetAt).Truncate(time.Millisecond) + calibrationPoll
}

// pollCalibration is the command thread's look at the flag. When the
// calibration is over the rest of its command is done, and then the command
// that was latched last.
func (m *MCU) pollCalibration() {
	if m.ir.active {
		m.ir.poll += calibrationPoll
		return
	}
	m.ir.waiting = false
	m.move(m.ir.left, m.ir.right)
	m.runCommands()
}
