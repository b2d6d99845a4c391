// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"math"
)

// Codes of messages to devices; Configure is every device's, but LEDs take none.
const (
	Configure = 0

	RobotQuit         = 2
	RobotTime         = 4
	RobotBatteryValue = 5

	PositionData      = 1
	GPSData           = 2
	TouchData         = 40
	DistanceData      = 50
	AccelerometerData = 51
	CompassData       = 52
	GyroData          = 53
	InertialData      = 54
	LightData         = 55
	CameraFile        = 8
	Received          = 1
	SoundOver         = 6
	SpeakOver         = 7
)

// Answer is what a simulator sends to a controller. The zero value is empty; it can be used again after Reset.
type Answer struct {
	data     []byte // delay and messages
	pictures []picture
}

// picture is one of a camera, which goes over TCP in a chunk of its own.
type picture struct {
	tag    uint16
	pixels []byte
}

// Reset begins an answer.
func (a *Answer) Reset() {
	a.data, a.pictures = append(a.data[:0], 0, 0, 0, 0), a.pictures[:0]
}

// Begin begins a message to a device.
func (a *Answer) Begin(tag uint16, code byte) {
	a.data = append(binary.LittleEndian.AppendUint16(a.data, tag), code)
}

// Byte appends a byte, as the following append what their names say.
func (a *Answer) Byte(v byte) { a.data = append(a.data, v) }

// Bool appends a byte, 0 or 1.
func (a *Answer) Bool(v bool) {
	var b byte
	if v {
		b = 1
	}
	a.Byte(b)
}

// Uint16 appends 16 bits.
func (a *Answer) Uint16(v uint16) { a.data = binary.LittleEndian.AppendUint16(a.data, v) }

// Int32 appends 32 bits.
func (a *Answer) Int32(v int32) { a.data = binary.LittleEndian.AppendUint32(a.data, uint32(v)) }

// Doubles appends doubles.
func (a *Answer) Doubles(v ...float64) {
	for _, x := range v {
		a.data = binary.LittleEndian.AppendUint64(a.data, math.Float64bits(x))
	}
}

// String appends a text and its NUL.
func (a *Answer) String(v string) { a.data = append(append(a.data, v...), 0) }

// Bytes appends bytes as they are.
func (a *Answer) Bytes(v []byte) { a.data = append(a.data, v...) }

// Table appends a lookup table: its number of rows and the rows.
func (a *Answer) Table(rows [][3]float64) {
	a.Int32(int32(len(rows)))
	for _, r := range rows {
		a.Doubles(r[:]...)
	}
}

// Picture appends a camera's picture, four bytes a pixel (blue, green, red, alpha), for a controller over TCP. It keeps
// pixels until the answer is written.
func (a *Answer) Picture(tag uint16, pixels []byte) {
	a.pictures = append(a.pictures, picture{tag, pixels})
}

// Local returns the answer as a controller of this machine reads it from its socket: without pictures, which it has in
// a file.
func (a *Answer) Local() []byte {
	b := make([]byte, 4, 4+len(a.data))
	b = append(b, a.data...)
	binary.LittleEndian.PutUint32(b, uint32(len(b)))
	return b
}

// Stream returns the answer as a controller reads it over TCP.
func (a *Answer) Stream() []byte {
	n := 11 + len(a.data)
	for _, p := range a.pictures {
		n += 8 + len(p.pixels)
	}
	b := make([]byte, 0, n)
	b = binary.LittleEndian.AppendUint16(b, uint16(1+len(a.pictures)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(a.data)))
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(a.data))), 0)
	b = append(b, a.data...)
	for _, p := range a.pictures {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(p.pixels))), 1)
		b = append(binary.LittleEndian.AppendUint16(b, p.tag), 0)
		b = append(b, p.pixels...)
	}
	return b
}
