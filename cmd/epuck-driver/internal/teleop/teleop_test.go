// SPDX-License-Identifier: Apache-2.0

package teleop

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"
)

func TestParser(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"i", "[{105 false 1 false}]"},
		{"i,", "[{105 false 1 false} {44 false 1 false}]"},
		{"\x03", "[{99 true 1 false}]"},
		{"\x1b[A\x1b[D", "[{63232 false 1 false} {63235 false 1 false}]"},
		{"\x1bOC", "[{63234 false 1 false}]"},
		{"\x1b[105u", "[{105 false 1 false}]"},
		{"\x1b[105;1:2u", "[{105 false 2 false}]"},
		{"\x1b[105;1:3u", "[{105 false 3 false}]"},
		{"\x1b[105:73;2:3u", "[{105 false 3 false}]"},
		{"\x1b[1;1:3A", "[{63232 false 3 false}]"},
		{"\x1b[99;5u", "[{99 true 1 false}]"},
		{"\x1b[?0u", "[]"},
		{"\x1b[200~x", "[{120 false 1 false}]"},
		{"\x1b\x1b[B", "[{63233 false 1 false}]"},
	} {
		var whole, bytewise Parser
		if got := fmt.Sprint(whole.Parse([]byte(c.in))); got != c.want {
			t.Errorf("%q: %s, want %s", c.in, got, c.want)
		}
		keys := []Key{}
		for i := range len(c.in) {
			keys = append(keys, bytewise.Parse([]byte{c.in[i]})...)
		}
		if got := fmt.Sprint(keys); got != c.want {
			t.Errorf("%q byte by byte: %s, want %s", c.in, got, c.want)
		}
		if releases := c.in == "\x1b[?0u"; whole.HasKeyRelease != releases || bytewise.HasKeyRelease != releases {
			t.Errorf("%q: releases %v", c.in, whole.HasKeyRelease)
		}
	}
}

// TestKeysOfTeleopTwistKeyboard holds the directions of its table.
func TestKeysOfTeleopTwistKeyboard(t *testing.T) {
	now := time.Unix(0, 0)
	for k, want := range map[rune][2]float64{
		'i': {1, 0}, 'o': {1, -1}, 'j': {0, 1}, 'l': {0, -1}, 'u': {1, 1}, ',': {-1, 0}, '.': {-1, 1}, 'm': {-1, -1}, 'k': {}, ' ': {}, 'p': {},
	} {
		p := &Pilot{Speed: 1, Turn: 1}
		p.Key(Key{Rune: k, Event: Press}, now)
		if v, w := p.Command(now); v != want[0] || w != want[1] {
			t.Errorf("%c: %v, %v", k, v, w)
		}
	}
	p := &Pilot{Speed: 1, Turn: 1}
	for _, k := range "qwxec" {
		p.Key(Key{Rune: k, Event: Press}, now)
	}
	if math.Abs(p.Speed-1.1) > 1e-12 || math.Abs(p.Turn-1.1) > 1e-12 {
		t.Error(p.Speed, p.Turn)
	}
}

// TestHoldWithoutReleases: the first press drives until a repeat must have arrived, each repeat a little longer.
func TestHoldWithoutReleases(t *testing.T) {
	p, start := NewPilot(), time.Unix(0, 0)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	moves := func(ms int) bool { v, _ := p.Command(at(ms)); return v != 0 }
	press := func(ms int) { p.Key(Key{Rune: 'i', Event: Press}, at(ms)) }
	press(0)
	if !moves(599) || moves(600) {
		t.Error("a tap does not drive for 600 ms")
	}
	press(1000)
	for ms := 1500; ms < 3000; ms += 40 {
		press(ms)
		if !moves(ms + 39) {
			t.Fatal("stops while the key is held, at ", ms)
		}
	}
	if last := 2980; !moves(last+149) || moves(last+150) {
		t.Error("does not stop 150 ms after the last repeat")
	}
	press(5000)
	p.Key(Key{Rune: 'k', Event: Press}, at(5010))
	if moves(5011) {
		t.Error("k does not stop")
	}
}

func TestHoldWithReleases(t *testing.T) {
	p, now := NewPilot(), time.Unix(0, 0)
	p.HasKeyRelease = true
	p.Key(Key{Rune: 'i', Event: Press}, now)
	if v, _ := p.Command(now.Add(time.Hour)); v != StartSpeed {
		t.Error("stops while the key is held")
	}
	p.Key(Key{Rune: 'l', Event: Press}, now)
	p.Key(Key{Rune: 'i', Event: Release}, now)
	if _, w := p.Command(now); w != -StartTurn {
		t.Error("the release of another key stops")
	}
	p.Key(Key{Rune: 'l', Event: Release}, now)
	p.Key(Key{Rune: 'i', Event: Repeat}, now) // late, of a released key
	if v, w := p.Command(now); v != 0 || w != 0 {
		t.Error("moves with nothing held", v, w)
	}
}

func event(kind, number byte, value int16) []byte {
	b := make([]byte, JoystickEventSize)
	binary.NativeEndian.PutUint16(b[4:], uint16(value))
	b[6], b[7] = kind, number
	return b
}

func TestJoystick(t *testing.T) {
	j := Joystick{LinearAxis: 1, AngularAxis: 0, EnableButton: 4, Speed: 0.1, Turn: 1.5, DeadZone: 0.05}
	feed := func(e []byte) {
		if err := j.Decode(e); err != nil {
			t.Fatal(err)
		}
	}
	feed(append(event(0x82, 1, -32767), event(0x82, 0, 1000)...))
	if v, w := j.Command(); v != 0 || w != 0 {
		t.Error("drives without the button", v, w)
	}
	feed(event(1, 4, 1))
	if v, w := j.Command(); v != 0.1 || w != 0 {
		t.Error("full speed ahead, turn within the dead zone:", v, w)
	}
	feed(event(2, 0, -32768))
	if _, w := j.Command(); w != 1.5 {
		t.Error(w)
	}
	feed(event(1, 4, 0))
	if v, w := j.Command(); v != 0 || w != 0 {
		t.Error("drives on after the button", v, w)
	}
	for _, bad := range [][]byte{make([]byte, 7), event(4, 0, 0)} {
		if err := j.Decode(bad); !errors.Is(err, ErrJoystick) {
			t.Error(bad, err)
		}
	}
}

// FuzzParse: what comes in pieces means what it means as a whole, and no key is made of nothing.
func FuzzParse(f *testing.F) {
	f.Add([]byte("i\x1b[105;1:3u\x1b[A"), 3)
	f.Add([]byte("\x1b[?0u\x1bO"), 1)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		var whole, pieces Parser
		all := whole.Parse(data)
		if len(all) > len(data) {
			t.Fatal(len(all))
		}
		cut = min(max(cut, 0), len(data))
		if len(data) >= maxSequence {
			return // an overlong sequence ends where a piece does
		}
		parts := append(pieces.Parse(data[:cut]), pieces.Parse(data[cut:])...)
		if fmt.Sprint(all) != fmt.Sprint(parts) {
			t.Errorf("%v, in pieces %v", all, parts)
		}
	})
}

// FuzzDecode: a joystick never asks for more than its speeds.
func FuzzDecode(f *testing.F) {
	f.Add(event(2, 1, 32767))
	f.Fuzz(func(t *testing.T, data []byte) {
		j := Joystick{LinearAxis: 1, EnableButton: -1, Speed: 1, Turn: 1, DeadZone: 0.05}
		_ = j.Decode(data)
		if v, w := j.Command(); math.Abs(v) > 1 || math.Abs(w) > 1 {
			t.Error(v, w)
		}
	})
}
