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
	maxADC    = 4095 // 12-bit converter
	maxRemote = 127  // RC5 codes have 7 bits
	buttonBit = 0x10 // of byte 40
)

// Sensors is the decoded 47-byte packet from the MCU to the Pi.
type Sensors struct {
	// Proximity is the light of the infrared pulse that came back, less the calibrated offset: 0 (nothing) to 4095,
	// counts. ps0 is front right, the others follow clockwise.
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
	// Remote is the last RC5 command of a TV remote control, 0 to 127; it stays for ever, and is 0 at power-on.
	Remote uint8
}

// Decode checks a sensor packet and decodes it: length, checksum, then whether an e-puck2 can have measured this. The
// errors match [ErrLength], [ErrChecksum] or [ErrImplausible]. A selector that is not [SelectorPi] is no error: the
// user can turn it while the firmware goes on measuring; see [Dev.Diagnosis].
func Decode(p []byte) (Sensors, error) {
	if err := validate(p); err != nil {
		return Sensors{}, err
	}
	var s Sensors
	for i := range 8 {
		s.Proximity[i] = binary.LittleEndian.Uint16(p[2*i:])
		s.Ambient[i] = binary.LittleEndian.Uint16(p[16+2*i:])
	}
	for i := range 4 {
		s.Microphone[i] = binary.LittleEndian.Uint16(p[32+2*i:])
	}
	s.Selector = p[40] & 0x0F
	s.Button = p[40]&buttonBit != 0
	s.LeftSteps = int16(binary.LittleEndian.Uint16(p[41:]))
	s.RightSteps = int16(binary.LittleEndian.Uint16(p[43:]))
	s.Remote = p[45]
	return s, nil
}

// Put writes the packet with its checksum; the inverse of [Decode] for tests and simulated robots.
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

// validate is everything that is checked before a byte is used.
func validate(p []byte) error {
	if len(p) != SensorsSize {
		return fmt.Errorf("%w: sensor packet has %d bytes, not %d", ErrLength, len(p), SensorsSize)
	}
	// 47 zeros have a valid checksum, and a register followed by padding has not: both are recognised before it is looked
	// at. A tail of 0xFF is a bus nobody drives: a plain checksum error.
	if constant(p[2:]) && p[2] != 0xFF {
		if p[0] == 0 && p[1] == 0 && p[2] == 0 {
			return errAllZero
		}
		return fmt.Errorf("%w: reply is %#02x %#02x, then 45 times %#02x", errRegister, p[0], p[1], p[2])
	}
	if sum := checksum(p[:46]); sum != p[46] {
		return fmt.Errorf("%w: sensor byte 46 is %#02x, bytes 0 to 45 give %#02x", ErrChecksum, p[46], sum)
	}
	return validateRanges(p)
}

// validateRanges finds values that no sensor of the robot can give.
func validateRanges(p []byte) error {
	light := uint16(0)
	for i := range 8 {
		prox, amb := binary.LittleEndian.Uint16(p[2*i:]), binary.LittleEndian.Uint16(p[16+2*i:])
		if prox > maxADC {
			return fmt.Errorf("%w: proximity %d is %d, more than 12 bits (byte %d)", ErrImplausible, i, prox, 2*i)
		}
		if amb > maxADC {
			return fmt.Errorf("%w: ambient %d is %d, more than 12 bits (byte %d)", ErrImplausible, i, amb, 16+2*i)
		}
		light |= amb
	}
	// The first measurement is 10 ms old at power-on at the earliest; until then all ambient values are 0, and never later.
	if light == 0 {
		return errNoLight
	}
	if p[40]&0xE0 != 0 {
		return fmt.Errorf("%w: selector and button are %#02x (byte 40), bits 5 to 7 are always 0", ErrImplausible, p[40])
	}
	if p[45] > maxRemote {
		return fmt.Errorf("%w: TV remote is %d (byte 45), RC5 has 7 bits", ErrImplausible, p[45])
	}
	return nil
}

// All are implausible packets too.
var (
	errNoLight  = fmt.Errorf("%w: all 8 ambient values are 0 (bytes 16 to 31): the robot is still starting", ErrImplausible)
	errAllZero  = fmt.Errorf("%w: %w", ErrImplausible, ErrAllZero)
	errRegister = fmt.Errorf("%w: %w", ErrImplausible, ErrRegisterFirmware)
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
