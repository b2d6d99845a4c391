// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

const (
	// lampCount is how many LEDs there are: eight in the ring, the body and the front.
	lampCount = 10
	ring      = 8
)

// lamp is a LED.
type lamp struct {
	part
	set func(v int32) bool // sets it; false: it does not have that value
}

// configure implements device.
func (l *lamp) configure(*wire.Answer) {}

// execute implements device.
func (l *lamp) execute(b *body, c wire.Command, _ *wire.Answer) error {
	if !l.set(c.Number[0]) {
		b.missing("the LED of the body or of the front", "it stays dark: the robot's LEDs are those of the ring")
	}
	return nil
}

// setLED sets a LED of the ring: those with even numbers are red, the others have colours.
func (e *epuck) setLED(number int, v int32) bool {
	switch {
	case number >= ring:
		return false
	case number%2 == 0:
		e.lamps.Red[number/2] = v != 0
	default:
		for k, shift := range [3]int{16, 8, 0} {
			e.lamps.RGB[number/2][k] = uint8((v >> shift & 0xFF) * 100 / 255)
		}
	}
	return true
}

// measure implements device.
func (l *lamp) measure(*body, *wire.Answer) {}

// speaker has no voice: what it is to play is over at once.
type speaker struct {
	part
	over []string // sounds
	said bool
}

// configure implements device.
func (s *speaker) configure(*wire.Answer) {}

// execute implements device.
func (s *speaker) execute(b *body, c wire.Command, _ *wire.Answer) error {
	switch c.Code {
	case wire.SpeakerPlay:
		s.over = append(s.over, c.Text)
	case wire.SpeakerSpeak:
		s.said = true
	default:
		return nil
	}
	b.missing("a sound", "silence: it is over at once")
	return nil
}

// measure implements device.
func (s *speaker) measure(_ *body, a *wire.Answer) {
	for _, name := range s.over {
		a.Begin(s.tag, wire.SoundOver)
		a.String(name)
	}
	if s.said {
		a.Begin(s.tag, wire.SpeakOver)
	}
	s.over, s.said = s.over[:0], false
}
