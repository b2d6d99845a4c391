// SPDX-License-Identifier: Apache-2.0

// Package teleop converts keys and joysticks to speeds: the keys of teleop_twist_keyboard, with the release events
// that some terminals send (kitty's keyboard protocol), and Linux joystick devices. It reads bytes and writes no
// topics.
package teleop

import (
	"strconv"
	"strings"
)

// Event is the kind of a key event.
type Event uint8

// Events. Terminals without release events only send presses: a key that is held is pressed repeatedly.
const (
	Press Event = iota + 1
	Repeat
	Release
)

// Key is a key of a terminal.
type Key struct {
	// Rune is the character, or one of Up, Down, Left, Right for arrows; 0 for other keys.
	Rune  rune
	Ctrl  bool
	Event Event
	// Protocol marks the response of a terminal that supports kitty's protocol; it is not a key.
	Protocol bool
}

// Arrow keys, in Unicode's private use area.
const (
	Up    rune = 0xF700
	Down  rune = 0xF701
	Right rune = 0xF702
	Left  rune = 0xF703
)

// Sequences of kitty's keyboard protocol (sw.kovidgoyal.net/kitty/keyboard-protocol): ask whether the terminal has it,
// switch releases on for all keys (1 disambiguate, 2 event types, 8 all keys as sequences), and back.
const (
	QueryProtocol = "\x1b[?u"
	PushProtocol  = "\x1b[>11u"
	PopProtocol   = "\x1b[<u"
)

// maxSequence is the maximum length of an escape sequence of a key, bytes.
const maxSequence = 32

// Parser parses the input of a terminal. The zero value is ready. A sequence may be split between calls.
type Parser struct {
	rest []byte
	// HasKeyRelease reports whether the terminal supports kitty's protocol.
	HasKeyRelease bool
}

// Parse returns the keys in data. Other input is ignored.
func (p *Parser) Parse(data []byte) []Key {
	var keys []Key
	data = append(p.rest, data...)
	p.rest = nil
	for len(data) > 0 {
		if data[0] != 0x1b {
			keys = append(keys, plain(data[0]))
			data = data[1:]
			continue
		}
		n := sequence(data)
		if n == 0 { // incomplete
			if len(data) < maxSequence {
				p.rest = append([]byte(nil), data...)
				return keys
			}
			n = 1
		}
		if k, ok := decode(string(data[:n])); ok {
			p.HasKeyRelease = p.HasKeyRelease || k.Protocol
			if !k.Protocol {
				keys = append(keys, k)
			}
		}
		data = data[n:]
	}
	return keys
}

// plain returns the key that sends one byte.
func plain(b byte) Key {
	if b < 0x20 && b != '\r' && b != '\n' && b != '\t' {
		return Key{Rune: rune(b) + 'a' - 1, Ctrl: true, Event: Press}
	}
	return Key{Rune: rune(b), Event: Press}
}

// sequence returns the length of the escape sequence that data begins with; 0 if it is not complete.
func sequence(data []byte) int {
	if len(data) == 1 {
		return 0
	}
	if data[1] != '[' && data[1] != 'O' {
		return 1 // the Escape key, and something else
	}
	for i := 2; i < len(data) && i < maxSequence; i++ {
		if data[i] >= 0x40 && data[i] <= 0x7e {
			return i + 1
		}
	}
	return 0
}

// decode reads "ESC [ A", "ESC [ 1 ; 1 : 3 A", "ESC [ 105 ; 1 : 3 u" and the answer "ESC [ ? 0 u".
func decode(s string) (Key, bool) {
	if len(s) < 3 {
		return Key{}, false
	}
	body, end := s[2:len(s)-1], s[len(s)-1]
	if strings.HasPrefix(body, "?") {
		return Key{Protocol: true}, end == 'u'
	}
	code, modifiers, _ := strings.Cut(body, ";")
	modifiers, _, _ = strings.Cut(modifiers, ";")
	mask, event, _ := strings.Cut(modifiers, ":")
	k := Key{Event: Press}
	switch n, _ := strconv.Atoi(event); n {
	case 2:
		k.Event = Repeat
	case 3:
		k.Event = Release
	}
	if m, err := strconv.Atoi(mask); err == nil && (m-1)&4 != 0 {
		k.Ctrl = true
	}
	switch end {
	case 'A', 'B', 'C', 'D':
		k.Rune = Up + rune(end-'A')
		return k, true
	case 'u':
		code, _, _ = strings.Cut(code, ":")
		n, err := strconv.Atoi(code)
		k.Rune = rune(n)
		return k, err == nil && n > 0
	}
	return Key{}, false
}
