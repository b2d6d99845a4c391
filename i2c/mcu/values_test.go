// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// bend returns a valid packet with one byte changed, and a right checksum.
func bend(at int, v byte) [SensorsSize]byte {
	p := good()
	p[46] ^= p[at] ^ v
	p[at] = v
	return p
}

// One impossible value is refused, and all others of its packet are used.
func TestRefusedValues(t *testing.T) {
	for _, c := range []struct {
		name    string
		packet  [SensorsSize]byte
		refused Values
	}{
		{"negative proximity", bend(1, 0xFF), ValueProximity(0)},
		{"proximity", bend(7, 0x20), ValueProximity(3)},
		{"ambient", bend(31, 0xFF), ValueAmbient(7)},
		{"selector bits", bend(40, 0x2A), ValueSelector},
	} {
		got, err := Decode(c.packet[:])
		if err != nil || got.Refused != c.refused || !c.refused.Has(got.Refused) || got.Refused.Len() != 1 {
			t.Errorf("%s: refused %v, %v", c.name, got.Refused, err)
		}
		clean := good()
		want, _ := Decode(clean[:])
		want.Refused = c.refused
		for i := range 8 {
			if c.refused.Has(ValueProximity(i)) {
				want.Proximity[i] = 0
			}
			if c.refused.Has(ValueAmbient(i)) {
				want.Ambient[i] = 0
			}
		}
		if c.refused == ValueSelector {
			want.Selector, want.Button = 0, false
		}
		for i := range 8 {
			if got.Blind(i) != c.refused.Has(ValueProximity(i)) {
				t.Errorf("%s: sensor %d blind: %v", c.name, i, got.Blind(i))
			}
		}
		if got != want {
			t.Errorf("%s:\n%+v, want\n%+v", c.name, got, want)
		}
	}
}

// With any single byte changed and a right checksum, the packet is valid and its step counters are used.
func TestImpossibleValueDoesNotInvalidatePacket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := bend(rapid.IntRange(0, 45).Draw(t, "byte"), rapid.Byte().Draw(t, "value"))
		if s, err := Decode(p[:]); err != nil || s.Refused.Len() > 1 {
			t.Fatalf("% x: %v, refused %v", p, err, s.Refused)
		}
	})
}

// The firmware puts the seventh bit of an RC5-X code into bit 7 (ir_remote.c, 226 to 228), and the code is not cleared.
func TestEveryRemoteCodeCounts(t *testing.T) {
	for v := range 256 {
		p := bend(45, byte(v))
		if s, err := Decode(p[:]); err != nil || s.Remote != byte(v) || s.Refused != 0 {
			t.Errorf("byte 45 = %d: %+v, %v", v, s, err)
		}
	}
}

// After a calibration with a mean below 0 the firmware sends values above 4095 (proximity.c, 351; 4098 was observed):
// they are clamped.
func TestProximityBeyondTheConverterIsClamped(t *testing.T) {
	p := good()
	for i, v := range []uint16{4095, 4096, 4098, 8190} {
		p[2*i], p[2*i+1] = byte(v), byte(v>>8)
	}
	p[46] = checksum(p[:46])
	s, err := Decode(p[:])
	if err != nil || s.Refused != 0 || [4]uint16(s.Proximity[:4]) != [4]uint16{4095, 4095, 4095, 4095} {
		t.Errorf("%v, refused %v, %v", s.Proximity, s.Refused, err)
	}
}

func TestValuesInWords(t *testing.T) {
	if s := (ValueProximity(7) | ValueAmbient(0) | ValueSelector).String(); s != "proximity 7, ambient 0, selector" {
		t.Error(s)
	}
	if s := Values(0).String(); s != "none" {
		t.Error(s)
	}
}

// With full sun on all eight sensors the measurement is used; it is reported, and the sensors count as blind.
func TestFullLightIsNoReasonToLoseTheRobot(t *testing.T) {
	r := newRig(t)
	r.f.sensors.Ambient = [8]uint16{}
	s := r.cycle(20, Command{Left: 500, Right: 500})
	if s.LeftSteps < 400 || !s.Blinded() || !s.Blind(3) {
		t.Errorf("%+v", s)
	}
	if d := r.d.Diagnosis(); d.Health != HealthBlinded || !strings.Contains(d.Text, "direct sun") || d.Err != nil {
		t.Errorf("%+v", d)
	}
	r.f.sensors.Ambient[2] = 3000
	if s = r.cycle(1, Command{}); s.Blinded() || s.Blind(2) || !s.Blind(3) || r.d.Diagnosis().Health != HealthOK {
		t.Errorf("%+v, %+v", s, r.d.Diagnosis())
	}
	if st := r.d.Counters(); st.Errors() != 0 || st.Failed != 0 {
		t.Errorf("%+v", st)
	}
}

// A broken sensor is counted and reported once; the wheels and the counters continue.
func TestRefusedValuesAreCountedAndReported(t *testing.T) {
	r := newRig(t)
	r.cycle(2, Command{Left: 500, Right: 500})
	r.f.sensors.Ambient[5] = 0xFFFF
	s := r.cycle(20, Command{Left: 500, Right: 500})
	if s.LeftSteps < 400 || s.Refused != ValueAmbient(5) || s.Blind(5) || s.Blind(4) {
		t.Errorf("%+v", s)
	}
	if len(r.events) != 1 || r.events[0].Kind != EventRefused || r.events[0].Refused != ValueAmbient(5) {
		t.Errorf("events %+v", r.events)
	}
	if d := r.d.Diagnosis(); d.Health != HealthValues || !strings.Contains(d.Text, "ambient 5") {
		t.Errorf("%+v", d)
	}
	if st := r.d.Counters(); st.Refused != 20 || st.Errors() != 0 || st.Retries != 0 {
		t.Errorf("%+v", st)
	}
	r.f.sensors.Ambient[5] = 0
	r.cycle(1, Command{})
	if r.f.sensors.Ambient[5] = 0xFFFF; r.d.Diagnosis().Health != HealthOK {
		t.Errorf("%+v", r.d.Diagnosis())
	}
	if r.cycle(1, Command{}); len(r.events) != 2 {
		t.Errorf("events %+v", r.events)
	}
}

// Microphone values reach 65,535 (found by running the firmware); the topics' type ends at 32,767.
func TestLoudMicrophonesAreCounted(t *testing.T) {
	r := newRig(t)
	r.f.sensors.Microphone = [4]uint16{32767, 32768, 65535, 0}
	r.cycle(3, Command{})
	if st := r.d.Counters(); st.Clipped != 6 {
		t.Errorf("%+v", st)
	}
}
