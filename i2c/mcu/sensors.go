// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"encoding/binary"
	"fmt"
)

// SensorsSize is the length of a sensor packet, bytes.
const SensorsSize = 47

// SelectorPi is the selector position that starts the firmware's I2C slave: 10, printed A.
const SelectorPi = 10

const (
	maxADC = 4095 // 12-bit converter
	// maxDelta is the maximum proximity value that the firmware can send: ambient less reflected light is at most 4095,
	// and the offset that is subtracted, a mean of such differences, can be as low as −4095 (proximity.c, 192 and 351).
	maxDelta  = 2 * maxADC
	buttonBit = 0x10 // of byte 40
	otherBits = 0xE0 // of byte 40: always 0
)

// Sensors is the decoded 47-byte packet from the MCU to the Pi.
type Sensors struct {
	// Proximity is the reflected light of the infrared pulse, less the calibrated offset: 0 (nothing) to 4095, counts.
	// ps0 is front right, the others follow clockwise.
	Proximity [8]uint16
	// Ambient is the converter value with the infrared LED off: 0 (bright) to 4095 (dark), counts.
	Ambient [8]uint16
	// Microphone is the peak-to-peak value of 10 ms of sound, counts: 0 right, 1 left, 2 back, 3 front.
	Microphone [4]uint16
	// Selector is the position of the rotary switch, 0 to 15; 10 while the Pi drives the robot.
	Selector uint8
	// Button is true while the user button is pressed.
	Button bool
	// LeftSteps and RightSteps are the full motor steps made since power-on, modulo 2^16; positive forwards.
	LeftSteps, RightSteps int16
	// Remote is the last RC5 command of a TV remote control: 0 to 63, and 128 to 191 for the extended codes 64 to 127,
	// whose seventh bit the firmware puts into bit 7 (ir_remote.c, 226 to 228). It keeps its value, and is 0 at
	// power-on.
	Remote uint8
	// Refused is the set of values that no sensor of the robot can return. They are 0 here; the others are valid.
	Refused Values
}

// Decode checks a sensor packet and decodes it. The error matches [ErrChecksum] or [ErrAllZero]. It also fails for
// another length, for the reply of York's firmware, and for mostly impossible values; the error has the length, the
// bytes or the values.
//
// One impossible value does not invalidate the packet, whose step counters the odometry needs: it is refused and
// added to [Sensors].Refused. A selector that is not [SelectorPi] is no error either: the user can turn it while the
// firmware keeps measuring; see [Dev.Diagnosis].
func Decode(p []byte) (Sensors, error) {
	if err := validate(p); err != nil {
		return Sensors{}, err
	}
	var s Sensors
	for i := range 8 {
		s.setProximity(i, binary.LittleEndian.Uint16(p[2*i:]))
		s.setAmbient(i, binary.LittleEndian.Uint16(p[16+2*i:]))
	}
	for i := range 4 {
		s.Microphone[i] = binary.LittleEndian.Uint16(p[32+2*i:])
	}
	s.setSwitches(p[40])
	s.LeftSteps = int16(binary.LittleEndian.Uint16(p[41:]))
	s.RightSteps = int16(binary.LittleEndian.Uint16(p[43:]))
	s.Remote = p[45]
	if n := s.Refused.Len(); n > maxRefused {
		return Sensors{}, fmt.Errorf("%w: %d of %d values are impossible: %v", errImplausible, n, numValues, s.Refused)
	}
	return s, nil
}

// setProximity sets a proximity value, counts. After a calibration whose mean was below 0 the firmware sends values
// above the converter's 4095, by up to that much; they are clamped.
func (s *Sensors) setProximity(i int, v uint16) {
	if v > maxDelta {
		s.Refused |= ValueProximity(i)
		return
	}
	s.Proximity[i] = min(v, maxADC)
}

func (s *Sensors) setAmbient(i int, v uint16) {
	if v > maxADC {
		s.Refused |= ValueAmbient(i)
		return
	}
	s.Ambient[i] = v
}

func (s *Sensors) setSwitches(v byte) {
	if v&otherBits != 0 {
		s.Refused |= ValueSelector
		return
	}
	s.Selector, s.Button = v&0x0F, v&buttonBit != 0
}

// Blind reports whether an infrared sensor can't measure proximity: its ambient value is at the end of the
// converter's range, full light, so that the infrared pulse can't change it further. This happens in sunlight, and in
// the first 10 ms after the robot's start, in which nothing is measured yet. A sensor whose proximity was refused is
// blind, too.
func (s *Sensors) Blind(i int) bool {
	return s.Refused.Has(ValueProximity(i)) || s.Ambient[i] == 0 && !s.Refused.Has(ValueAmbient(i))
}

// Blinded reports whether all eight ambient values are 0; see Blind.
func (s *Sensors) Blinded() bool { return s.Ambient == [8]uint16{} && s.Refused == 0 }

// Put writes the packet with its checksum; the inverse of [Decode] for tests and simulated robots. Refused is
// ignored: refused values are lost.
func (s *Sensors) Put(p *[SensorsSize]byte) {
	for i := range 8 {
		binary.LittleEndian.PutUint16(p[2*i:], s.Proximity[i])
		binary.LittleEndian.PutUint16(p[16+2*i:], s.Ambient[i])
	}
	for i := range 4 {
		binary.LittleEndian.PutUint16(p[32+2*i:], s.Microphone[i])
	}
	p[40] = s.Selector & 0x0F
	if s.Button {
		p[40] |= buttonBit
	}
	binary.LittleEndian.PutUint16(p[41:], uint16(s.LeftSteps))
	binary.LittleEndian.PutUint16(p[43:], uint16(s.RightSteps))
	p[45] = s.Remote
	p[46] = checksum(p[:46])
}

// validate does all checks before a byte is used.
func validate(p []byte) error {
	if len(p) != SensorsSize {
		return fmt.Errorf("%w: sensor packet has %d bytes, not %d", errLength, len(p), SensorsSize)
	}
	// 47 zeros have a valid checksum, and a register followed by padding has not: both are recognised before it is
	// looked at. A tail of 0xFF is a bus that is not driven: a plain checksum error.
	if constant(p[2:]) && p[2] != 0xFF {
		if p[0] == 0 && p[1] == 0 && p[2] == 0 {
			return errAllZero
		}
		return fmt.Errorf("%w: reply is %#02x %#02x, then 45 times %#02x", errRegister, p[0], p[1], p[2])
	}
	if sum := checksum(p[:46]); sum != p[46] {
		return fmt.Errorf("%w: sensor byte 46 is %#02x, bytes 0 to 45 give %#02x", ErrChecksum, p[46], sum)
	}
	return nil
}

// Both are implausible packets too.
var (
	errAllZero  = fmt.Errorf("%w: %w", errImplausible, ErrAllZero)
	errRegister = fmt.Errorf("%w: %w", errImplausible, errRegisterFirmware)
)

// constant reports whether all bytes are the same.
func constant(p []byte) bool {
	for _, b := range p[1:] {
		if b != p[0] {
			return false
		}
	}
	return true
}
