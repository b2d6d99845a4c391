// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sensorCases are used by the decode test, the encode test and the fuzz corpus.
var sensorCases = []struct {
	name string
	s    Sensors
	hex  string
}{
	{"at rest", Sensors{
		Proximity: [8]uint16{1, 2, 3, 4, 5, 6, 7, 0x0FFF}, Ambient: [8]uint16{0xFFF, 0xFFE, 0xFFD, 0, 0, 0, 0, 0x123},
		Microphone: [4]uint16{1, 2, 3, 0xFFFF}, Selector: 10, LeftSteps: 0, RightSteps: 0,
	}, "01000200030004000500060007" + "00ff0f" + "ff0ffe0ffd0f" + "0000000000000000" + "2301" + "010002000300ffff" + "0a" + "0000" + "0000" + "00" + "2b"},
	{"before the wrap, button, remote", Sensors{
		Ambient: [8]uint16{1}, Selector: 15, Button: true, LeftSteps: 32767, RightSteps: -32768, Remote: 127,
	}, strings.Repeat("00", 16) + "0100" + strings.Repeat("00", 14) + strings.Repeat("00", 8) + "1f" + "ff7f" + "0080" + "7f" + "61"},
}

func TestSensorsGolden(t *testing.T) {
	for _, c := range sensorCases {
		t.Run(c.name, func(t *testing.T) {
			p, err := hex.DecodeString(c.hex)
			if err != nil {
				t.Fatal(err)
			}
			var enc [SensorsSize]byte
			c.s.Put(&enc)
			if !bytes.Equal(enc[:], p) {
				t.Errorf("encoded % x\nwant    % x", enc, p)
			}
			if got, err := Decode(p); err != nil || got != c.s {
				t.Errorf("decoded %+v, %v", got, err)
			}
		})
	}
}

// good is a plausible packet.
func good() [SensorsSize]byte {
	var p [SensorsSize]byte
	newFirmware().sensors.Put(&p)
	return p
}

func TestDecodeBad(t *testing.T) {
	fill := func(v byte) []byte { return bytes.Repeat([]byte{v}, SensorsSize) }
	g := good()
	random := good()
	for i := range 16 {
		random[2*i+1] = 0xA5
	}
	random[46] = checksum(random[:46])
	flipped := good()
	flipped[7] ^= 0x40
	for _, c := range []struct {
		name string
		p    []byte
		is   []error
		says string
	}{
		{"empty", nil, []error{errLength}, "has 0 bytes"},
		{"short", g[:46], []error{errLength}, "has 46 bytes, not 47"},
		{"long", append(g[:], 0), []error{errLength}, "has 48 bytes"},
		{"all zero", fill(0), []error{errImplausible, ErrAllZero}, "all bytes are zero"},
		{"idle bus", fill(0xFF), []error{ErrChecksum}, "byte 46 is 0xff, bytes 0 to 45 give 0x00"},
		{"York, 8 bits", fill(0x2A), []error{errImplausible, errRegisterFirmware}, "0x2a 0x2a, then 45 times 0x2a"},
		{"York, 16 bits", append([]byte{0x34}, fill(0x12)[1:]...), []error{errImplausible, errRegisterFirmware}, "0x34 0x12"},
		{"York, padded", append([]byte{7}, fill(0)[1:]...), []error{errImplausible, errRegisterFirmware}, "0x07 0x00"},
		{"one bit", flipped[:], []error{ErrChecksum}, "bad checksum"},
		{"another firmware's", random[:], []error{errImplausible}, "16 of 17 values are impossible: proximity 0, proximity 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Decode(c.p)
			for _, is := range c.is {
				if !errors.Is(err, is) {
					t.Errorf("%v is not %v", err, is)
				}
			}
			if err == nil || !strings.Contains(err.Error(), c.says) || s != (Sensors{}) {
				t.Errorf("%+v, %v; want %q", s, err, c.says)
			}
		})
	}
}

// TestDecodeSelector: a turned selector does not invalidate a measurement.
func TestDecodeSelector(t *testing.T) {
	for sel := range uint8(16) {
		f := newFirmware()
		f.sensors.Selector = sel
		var p [SensorsSize]byte
		f.sensors.Put(&p)
		if s, err := Decode(p[:]); err != nil || s.Selector != sel {
			t.Errorf("selector %d: %d, %v", sel, s.Selector, err)
		}
	}
}

// TestDecodeOneBit: no single inverted bit is accepted.
func TestDecodeOneBit(t *testing.T) {
	for bit := range SensorsSize * 8 {
		p := good()
		p[bit/8] ^= 1 << (bit % 8)
		if _, err := Decode(p[:]); !errors.Is(err, ErrChecksum) {
			t.Errorf("bit %d turned over: %v", bit, err)
		}
	}
}

func TestSensorsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		adc, any16 := rapid.Uint16Range(0, 4095), rapid.Uint16()
		s := Sensors{
			Selector: rapid.Uint8Range(0, 15).Draw(t, "selector"), Button: rapid.Bool().Draw(t, "button"),
			LeftSteps: rapid.Int16().Draw(t, "left"), RightSteps: rapid.Int16().Draw(t, "right"),
			Remote: rapid.Uint8().Draw(t, "remote"),
		}
		for i := range 8 {
			s.Proximity[i], s.Ambient[i] = adc.Draw(t, "proximity"), adc.Draw(t, "ambient")
		}
		s.Ambient[rapid.IntRange(0, 7).Draw(t, "lit")] |= 1
		s.Ambient[0], s.Proximity[1] = s.Ambient[0]|2, s.Proximity[1]|1 // not a repeated byte
		for i := range 4 {
			s.Microphone[i] = any16.Draw(t, "microphone")
		}
		var p [SensorsSize]byte
		s.Put(&p)
		if back, err := Decode(p[:]); err != nil || back != s {
			t.Fatalf("%+v came back as %+v, %v", s, back, err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, c := range sensorCases {
		p, _ := hex.DecodeString(c.hex)
		f.Add(p)
	}
	f.Add(make([]byte, SensorsSize))
	f.Add(bytes.Repeat([]byte{0x2A}, SensorsSize))
	f.Fuzz(func(t *testing.T, p []byte) {
		s, err := Decode(p)
		if err != nil {
			if s != (Sensors{}) {
				t.Errorf("sensors with the error %v: %+v", err, s)
			}
			return
		}
		var back [SensorsSize]byte
		if s.Put(&back); !bytes.Equal(back[:], p) && s.Refused == 0 && !slices.Contains(s.Proximity[:], maxADC) {
			t.Errorf("% x came back as % x", p, back)
		}
	})
}

func TestCodecAllocates(t *testing.T) {
	p, c := good(), Command{Left: 1}
	var q [CommandSize]byte
	n := testing.AllocsPerRun(100, func() {
		c.Put(&q)
		if _, err := Decode(p[:]); err != nil {
			t.Error(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDecode(b *testing.B) {
	p := good()
	for i := range p[:40] {
		p[i] = byte(rand.IntN(15))
	}
	p[46] = checksum(p[:46])
	for b.Loop() {
		if _, err := Decode(p[:]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPut(b *testing.B) {
	c := Command{Left: 100, Right: -100, LEDs: LED1}
	var p [CommandSize]byte
	for b.Loop() {
		c.Put(&p)
	}
}
