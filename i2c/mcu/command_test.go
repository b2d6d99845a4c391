// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// commandCases are used by the encode test, the decode test and the fuzz corpus.
var commandCases = []struct {
	name string
	c    Command
	hex  string
}{
	{"stop", Command{}, "0000000000000000000000000000000000000000"},
	{"forwards", Command{Left: 159, Right: 159}, "9f009f0000000000000000000000000000000000"},
	{"turn", Command{Left: -1100, Right: 1100}, "b4fb4c0400000000000000000000000000000007"},
	{"melody", Command{Melody: 3}, "0000000003000000000000000000000000000003"},
	{"red", Command{LEDs: LED1 | LED5}, "0000000000050000000000000000000000000005"},
	{"colours", Command{RGB: [4]RGB{{100, 0, 1}, {2, 3, 4}, {5, 6, 7}, {8, 9, 100}}}, "0000000000006400010203040506070809640001"},
	{"steps", Command{Left: 32767, Right: -32768, Settings: SetSteps}, "ff7f00800000000000000000000000000000" + "0404"},
	{"calibrate", Command{Settings: CalibrateIR}, "0000000000000000000000000000000000000101"},
}

func TestCommandGolden(t *testing.T) {
	for _, c := range commandCases {
		t.Run(c.name, func(t *testing.T) {
			want, err := hex.DecodeString(c.hex)
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.c.Append([]byte{0xEE})
			if err != nil || !bytes.Equal(got[1:], want) || got[0] != 0xEE {
				t.Errorf("encoded % x, %v; want % x", got[1:], err, want)
			}
			back, err := DecodeCommand(want)
			if err != nil || back != c.c {
				t.Errorf("decoded %+v, %v", back, err)
			}
		})
	}
}

func TestCommandBad(t *testing.T) {
	for _, c := range []struct {
		c    Command
		says string
	}{
		{Command{Melody: 4}, "melody 4 (byte 4)"},
		{Command{LEDs: 0x10}, "LED bits 0x10 (byte 5)"},
		{Command{RGB: [4]RGB{{R: 101}}}, "RGB LED 2"},
		{Command{RGB: [4]RGB{3: {B: 255}}}, "RGB LED 8 is {0 0 255} (bytes 15 to 17)"},
		{Command{Settings: 8}, "settings 0x08 (byte 18)"},
	} {
		dst := []byte{1}
		got, err := c.c.Append(dst)
		if !errors.Is(err, ErrCommand) || !strings.Contains(err.Error(), c.says) || !bytes.Equal(got, dst) {
			t.Errorf("%+v: % x, %v; want %q", c.c, got, err, c.says)
		}
		var p [CommandSize]byte
		c.c.Put(&p)
		if _, err := DecodeCommand(p[:]); !errors.Is(err, ErrCommand) {
			t.Errorf("%+v is decoded: %v", c.c, err)
		}
	}
}

func TestDecodeCommandBad(t *testing.T) {
	for _, n := range []int{0, 19, 21, 47} {
		if _, err := DecodeCommand(make([]byte, n)); !errors.Is(err, errLength) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for bit := range CommandSize * 8 {
		p := make([]byte, CommandSize)
		p[bit/8] ^= 1 << (bit % 8)
		if _, err := DecodeCommand(p); !errors.Is(err, ErrChecksum) {
			t.Errorf("bit %d turned over: %v", bit, err)
		}
	}
}

func TestRGBFromHex(t *testing.T) {
	for in, want := range map[uint32]RGB{
		0: {}, 0xFFFFFF: {100, 100, 100}, 0xFF0000: {100, 0, 0}, 0x00FF00: {0, 100, 0}, 0x0000FF: {0, 0, 100},
		0x808080: {50, 50, 50}, 0x010203: {0, 1, 1}, 0xFFFF0000: {100, 0, 0},
	} {
		if got := RGBFromHex(in); got != want {
			t.Errorf("%#06x: %v, want %v", in, got, want)
		}
	}
}

// drawCommand draws any valid command.
func drawCommand(t *rapid.T) Command {
	percent := rapid.Uint8Range(0, 100)
	c := Command{
		Left: Speed(rapid.Int16().Draw(t, "left")), Right: Speed(rapid.Int16().Draw(t, "right")),
		Melody: rapid.Uint8Range(0, NumMelodies).Draw(t, "melody"),
		LEDs:   LEDs(rapid.Uint8Range(0, uint8(allLEDs)).Draw(t, "leds")), Settings: Settings(rapid.Uint8Range(0, 7).Draw(t, "settings")),
	}
	for i := range c.RGB {
		c.RGB[i] = RGB{percent.Draw(t, "r"), percent.Draw(t, "g"), percent.Draw(t, "b")}
	}
	return c
}

func TestCommandRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCommand(t)
		p, err := c.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := DecodeCommand(p); err != nil || back != c {
			t.Fatalf("%+v came back as %+v, %v", c, back, err)
		}
	})
}

func FuzzDecodeCommand(f *testing.F) {
	for _, c := range commandCases {
		p, _ := hex.DecodeString(c.hex)
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		c, err := DecodeCommand(p)
		if err != nil {
			if c != (Command{}) {
				t.Errorf("a command with the error %v: %+v", err, c)
			}
			return
		}
		back, err := c.Append(nil)
		if err != nil || !bytes.Equal(back, p) {
			t.Errorf("% x came back as % x, %v", p, back, err)
		}
	})
}
