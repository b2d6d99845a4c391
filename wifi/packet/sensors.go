// SPDX-License-Identifier: Apache-2.0

package packet

import (
	"encoding/binary"
	"fmt"
	"math"
)

// SensorsSize is the length of the sensors, bytes, without the byte of the kind before them.
const SensorsSize = 104

// Selector is the selector position in which the standard firmware uses its radio module: 15, printed F.
const Selector = 15

const (
	// OneG is the value of Accel for gravity on the axis that points up, counts: 16384 of the chip, shifted by 4 less
	// shifted by 6 (e_acc.c, e_get_acc). Public clients divide by 800, the first e-puck's figure.
	OneG = 768
	// CountsPerVolt is the battery's converter: 12 bits of 3 V behind a divider of 220 and 330 kΩ (battery_level.c).
	CountsPerVolt = 4096 * 330. / (220 + 330) / 3
)

// Sensors are the robot's measurements. The comment of each field ends with its bytes.
type Sensors struct {
	// Accel is the acceleration with gravity minus the offset found when the robot was switched on, in the axes and
	// units of the first e-puck, see [OneG]. 0–5
	Accel [3]int16
	// Acceleration is the length of Accel; Orientation and Inclination are its direction, degrees: 0 to 360 (0 while
	// the robot is level) and 0 to 180. 6–17
	Acceleration, Orientation, Inclination float32
	// Gyro is the turning rate less its offset, 131 counts per °/s, in the axes of the first e-puck. 18–23
	Gyro [3]int16
	// Field is the magnetic flux density, µT; zeros of a robot whose magnetometer is not set up. 24–35
	Field [3]float32
	// Temperature of the inertial unit, °C. 36
	Temperature int8
	// Proximity is the reflected light of the infrared pulse less the calibrated offset, 0 (nothing) to 4095,
	// counts. ps0 is front right, the others follow clockwise. 37–52
	Proximity [8]uint16
	// Ambient is the converter's value with the infrared LED off, 0 (bright) to 4095 (dark), counts. 53–68
	Ambient [8]uint16
	// Distance is the time-of-flight sensor's reading, mm; the firmware drops its status, so that 8190 and more mean
	// "no object", and 0 "not measured yet". 69–70
	Distance uint16
	// Microphone is the peak-to-peak value of 10 ms of sound, counts: right, left, back, front. 71–78
	Microphone [4]uint16
	// LeftSteps and RightSteps are the full motor steps made since power-on, modulo 2^16. 79–82
	LeftSteps, RightSteps int16
	// Battery is its voltage in counts, see [CountsPerVolt]. 83–84
	Battery uint16
	// Card is 1 if a micro SD card is in its slot and can't be read, else 0. 85
	Card uint8
	// RemoteToggle, RemoteAddress and RemoteData are the last code of a TV remote control. 86–88
	RemoteToggle, RemoteAddress, RemoteData uint8
	// Selector is the position of the rotary switch, 0 to 15. 89
	Selector uint8
	// Ground is the reflected light of the ground sensors left, centre and right, GroundAmbient that without their
	// own light, 0 to 1023, counts; zeros of a robot without them. 90–101
	Ground, GroundAmbient [3]uint16
	// Button is 1 while the user button is pressed; the radio module, to which it is connected, adds it. 102
	Button uint8
	// Spare is 0. 103
	Spare uint8
}

// Volts returns the battery's voltage, V.
func (s *Sensors) Volts() float64 { return float64(s.Battery) / CountsPerVolt }

// Put writes the packet without its kind.
func (s *Sensors) Put(p *[SensorsSize]byte) {
	w := writer{p: p[:0:SensorsSize]}
	w.int16s(s.Accel[:])
	w.floats(s.Acceleration, s.Orientation, s.Inclination)
	w.int16s(s.Gyro[:])
	w.floats(s.Field[:]...)
	w.bytes(byte(s.Temperature))
	w.words(s.Proximity[:]...)
	w.words(s.Ambient[:]...)
	w.words(s.Distance)
	w.words(s.Microphone[:]...)
	w.words(uint16(s.LeftSteps), uint16(s.RightSteps), s.Battery)
	w.bytes(s.Card, s.RemoteToggle, s.RemoteAddress, s.RemoteData, s.Selector)
	w.words(s.Ground[:]...)
	w.words(s.GroundAmbient[:]...)
	w.bytes(s.Button, s.Spare)
}

// DecodeSensors decodes the sensors. It fails if p has not [SensorsSize] bytes; the error names the length. All bytes
// are valid.
func DecodeSensors(p []byte) (s Sensors, err error) {
	if len(p) != SensorsSize {
		return s, fmt.Errorf("%w: sensors have %d bytes, not %d", errLength, SensorsSize, len(p))
	}
	word := func(at int) uint16 { return binary.LittleEndian.Uint16(p[at:]) }
	float := func(at int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(p[at:])) }
	for i := range 3 {
		s.Accel[i], s.Gyro[i], s.Field[i] = int16(word(2*i)), int16(word(18+2*i)), float(24+4*i)
		s.Ground[i], s.GroundAmbient[i] = word(90+2*i), word(96+2*i)
	}
	s.Acceleration, s.Orientation, s.Inclination = float(6), float(10), float(14)
	s.Temperature = int8(p[36])
	for i := range 8 {
		s.Proximity[i], s.Ambient[i] = word(37+2*i), word(53+2*i)
	}
	s.Distance = word(69)
	for i := range 4 {
		s.Microphone[i] = word(71 + 2*i)
	}
	s.LeftSteps, s.RightSteps, s.Battery = int16(word(79)), int16(word(81)), word(83)
	s.Card, s.RemoteToggle, s.RemoteAddress, s.RemoteData, s.Selector = p[85], p[86], p[87], p[88], p[89]
	s.Button, s.Spare = p[102], p[103]
	return s, nil
}

// writer appends little-endian values.
type writer struct{ p []byte }

func (w *writer) bytes(v ...byte) { w.p = append(w.p, v...) }

func (w *writer) words(v ...uint16) {
	for _, n := range v {
		w.p = binary.LittleEndian.AppendUint16(w.p, n)
	}
}

func (w *writer) int16s(v []int16) {
	for _, n := range v {
		w.words(uint16(n))
	}
}

func (w *writer) floats(v ...float32) {
	for _, f := range v {
		w.p = binary.LittleEndian.AppendUint32(w.p, math.Float32bits(f))
	}
}
