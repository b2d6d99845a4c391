// SPDX-License-Identifier: Apache-2.0

package vmcu

import "time"

// lookPeriod is how often the program of each selector position looks at the
// selector again; 0 never: it ends in a loop of its own, or waits for a sensor
// that this firmware does not start (main.c, 103 to 374).
var lookPeriod = [16]time.Duration{
	2:  100 * time.Millisecond, // main.c, 130
	5:  100 * time.Millisecond, // 149
	6:  10 * time.Millisecond,  // 158
	11: 10 * time.Millisecond,  // 230
	12: 50 * time.Millisecond,  // 269
	13: 50 * time.Millisecond,  // 349
	15: 500 * time.Millisecond, // 372
}

// program is what the selector's thread does. What the programs other than the
// I²C slave's do with the robot is not modelled.
type program struct {
	number  uint8
	looking bool // the selector was turned, and lookAt is when the thread sees it
	lookAt  time.Duration
}

// load starts the program of the selector's position.
func (m *MCU) load() {
	m.program = program{number: m.selector}
	m.slave = m.cfg.Firmware == York || m.cfg.Firmware == Extension && m.selector == extensionSelector
}

// turned lets the thread see a turned selector: at once while the processor
// starts, later at its next look, or never.
func (m *MCU) turned() {
	period := lookPeriod[m.program.number]
	switch {
	case m.cfg.Firmware != Extension:
	case m.now < m.readyAt:
		m.load()
	case period > 0 && !m.program.looking:
		m.program.looking = true
		m.program.lookAt = m.readyAt + (m.now - m.readyAt).Truncate(period) + period
	}
}

// checkSelector is the thread's look at the selector.
func (m *MCU) checkSelector() {
	m.load()
}
