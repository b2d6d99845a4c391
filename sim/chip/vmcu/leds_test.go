// SPDX-License-Identifier: Apache-2.0

package vmcu_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

// Fact: bit 0 LED1, 1 LED3, 2 LED5, 3 LED7; the others mean nothing.
func TestRedLEDs(t *testing.T) {
	for bits := range 256 {
		g := newRig()
		g.one(5, byte(bits), 0, 0)
		got := g.LEDs()
		for i := range 4 {
			if got.Red[i] != (bits>>i&1 != 0) {
				t.Errorf("byte %#x: red LEDs %v", bits, got.Red)
			}
		}
	}
}

// Fact: values over 100 leave a colour unchanged.
func TestRGBOver100IsUnchanged(t *testing.T) {
	g := newRig()
	copy(g.cmd[6:], []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 0, 50})
	g.send(0, 0)
	want := [4][3]uint8{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {100, 0, 50}}
	if got := g.LEDs().RGB; got != want {
		t.Errorf("colours %v, want %v", got, want)
	}
	copy(g.cmd[6:], []byte{101, 255, 33, 128, 0, 200, 101, 101, 101, 101, 101, 101})
	g.send(0, 0)
	want = [4][3]uint8{{1, 2, 33}, {4, 0, 6}, {7, 8, 9}, {100, 0, 50}}
	if got := g.LEDs().RGB; got != want {
		t.Errorf("colours %v, want %v", got, want)
	}
}

func TestYork(t *testing.T) {
	g := newRig(func(cfg *vmcu.Config) { cfg.Firmware, cfg.Selector = vmcu.York, 0 })
	g.view.delta[2], g.view.ambient[7] = 0x0203, 0x0F0E
	read := func(reg byte) (uint16, [47]byte) {
		if n := g.raw([]byte{reg}); n != 1 {
			t.Fatalf("register %d: %d bytes acknowledged", reg, n)
		}
		return uint16(g.word(0)), g.reply
	}
	set := func(reg byte, data ...byte) { g.raw(append([]byte{reg}, data...)) }

	set(2, 0xF4, 0x01)
	set(3, 0xD0, 0x07) // 2000, clipped to 1000
	wantSpeeds(t, g, "set by register", 500, 1000)
	if v, _ := read(2); v != 500 {
		t.Errorf("left speed reads %d", v)
	}
	if v, _ := read(3); v != 1000 {
		t.Errorf("right speed reads %d", v)
	}
	if v, _ := read(4); v < 200 || v > 300 {
		t.Errorf("left counter reads %d after 0.6 s", v)
	}
	if v, _ := read(5); v < 400 || v > 600 {
		t.Errorf("right counter reads %d after 0.6 s", v)
	}
	if v, _ := read(9); v != 0x0203 {
		t.Errorf("reflected 2 reads %#x", v)
	}
	if v, _ := read(22); v != 0x0F0E {
		t.Errorf("ambient 7 reads %#x", v)
	}
	set(0, 0x05)
	set(1, 0x03)
	if v, _ := read(0); v&0xFF != 5 || g.LEDs().Red != [4]bool{true, false, true, false} {
		t.Errorf("outer LEDs read %#x, %v", v, g.LEDs().Red)
	}
	if v, _ := read(1); v&0xFF != 3 {
		t.Errorf("inner LEDs read %#x", v)
	}
	a, _ := read(254)
	b, whole := read(254)
	if byte(b) != byte(a)+1 {
		t.Errorf("test counter reads %d, then %d", byte(a), byte(b))
	}
	if whole[2] != byte(b) || whole[46] != byte(b) {
		t.Errorf("past the register % x", whole[2:])
	}
}

// What a driver for the extension firmware makes of it: its command is a write
// to some register, its reply zeros or, once a register was chosen, that register.
func TestYorkDoesNotLookLikeTheExtension(t *testing.T) {
	g := newRig(func(cfg *vmcu.Config) { cfg.Firmware = vmcu.York })
	for _, v := range []int{0, 100, 1000, -1000} {
		g.send(v, v)
		if g.reply != [47]byte{} {
			t.Errorf("speed %d: the reply is % x", v, g.reply)
		}
	}
	set := []byte{2, 1} // half a speed
	if n := g.raw(set); n != 2 {
		t.Errorf("%d bytes acknowledged", n)
	}
	g.raw(nil)
	wantSpeeds(t, g, "after half a register", 0, 0)
}
