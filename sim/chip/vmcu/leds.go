// SPDX-License-Identifier: Apache-2.0

package vmcu

import "time"

// rgbMax is the brightest value of a colour, percent; more leaves it unchanged.
const rgbMax = 100

// LEDs is what the robot's LEDs show.
type LEDs struct {
	// Red reports which of LED1 (front), LED3 (right), LED5 (back) and LED7 (left)
	// are on.
	Red [4]bool
	// RGB is red, green and blue of LED2 (front right), LED4 (back right), LED6
	// (back left) and LED8 (front left), percent.
	RGB [4][3]uint8
}

type leds struct {
	red       uint8
	rgb       [4][3]uint8
	kept      [4][3]uint8   // what the radio module showed before a restart
	keptUntil time.Duration // when it hears the first colours after it
}

// set takes byte 5 and bytes 6 to 17 of a command. The colours are forwarded to the
// radio module, which ignores values over 100.
func (l *leds) set(red byte, rgb []byte) {
	l.red = red & 0x0f
	for i, v := range rgb {
		if v <= rgbMax {
			l.rgb[i/3][i%3] = v
		}
	}
}

// LEDs returns what the LEDs show.
func (m *MCU) LEDs() LEDs {
	s := LEDs{RGB: m.leds.rgb}
	if m.now < m.leds.keptUntil {
		s.RGB = m.leds.kept
	}
	for i := range s.Red {
		s.Red[i] = m.leds.red>>i&1 != 0
	}
	return s
}

// SetSelector turns the rotary selector to position n (its low four bits). The
// program of most positions runs until the next start; that of others looks
// at the selector and obeys.
func (m *MCU) SetSelector(n uint8) {
	m.selector = n & 0x0f
	m.turned()
}

// Selector returns the selector's position.
func (m *MCU) Selector() uint8 { return m.selector }

// SetButton presses or releases the user button.
func (m *MCU) SetButton(pressed bool) { m.button = pressed }

// Travel returns how far each motor has turned since time zero, in half
// steps, forward positive. Restarts and set counters do not change it.
func (m *MCU) Travel() (left, right int64) { return m.left.travel, m.right.travel }

// Speed returns how fast each motor really turns, steps/s.
func (m *MCU) Speed() (left, right float64) { return m.left.speed(), m.right.speed() }
