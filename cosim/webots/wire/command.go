// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Command is one thing that a controller wants of a device. What it has depends on its code.
type Command struct {
	Code   uint16
	Number [2]int32   // whole numbers, in their order
	Value  [3]float64 // others, in theirs
	Text   string     // without its final NUL
	Data   []byte     // a piece of the request
}

// Codes of commands. They mean something for their kind of device alone.
const (
	Period = 1 // sensors: Number[0] is the sampling period, ms; 0 switches it off

	RobotConsole        = 30 // Number[0] 1 output, 2 errors; Text
	RobotBatteryPeriod  = 31 // as Period
	RobotRemoteOn       = 32
	RobotRemoteOff      = 33
	RobotKeyboardPeriod = 34
	RobotJoystickPeriod = 35
	RobotMousePeriod    = 36
	RobotSetData        = 37 // Text
	RobotExit           = 38
	RobotMouse3D        = 39
	RobotPin            = 40
	RobotURDF           = 46 // Text is the prefix of names
	RobotAwaitInput     = 80 // Number: kinds of events, ms
	RobotWindowMessage  = 81 // Data

	MotorPosition       = 1 // Value[0], rad; +Inf lets the velocity decide
	MotorVelocity       = 2 // Value[0], rad/s
	MotorAvailableForce = 3 // Value[0], N m
	MotorForce          = 4 // Value[0], N m
	MotorFeedback       = 5 // as Period
	MotorAcceleration   = 6 // Value[0], rad/s²; −1 has no limit
	MotorPID            = 7 // Value
	MotorAssociated     = 8 // Number[0] is a node number

	PositionAssociated = 2 // Number[0] is a node number

	CameraFieldOfView       = 4 // Value[0], rad
	CameraFocal             = 5 // Value[0], m
	CameraExposure          = 6 // Value[0], J/m²
	CameraRecognitionPeriod = 10
	CameraSegmentation      = 11

	LidarFrequency = 16 // Value[0], Hz
	LidarPoints    = 17
	LidarNoPoints  = 18

	LEDSet = 1 // Number[0]

	EmitterSend    = 0 // Number[0] channel, Value[0] range (m; −1 has none), Data
	EmitterChannel = 1 // Number[0]
	emitterRange   = 2 // Value[0], m

	ReceiverChannel = 2 // Number[0]

	SpeakerPlay     = 1 // Text is a file; Value volume, pitch, balance. One command for each sound
	SpeakerStop     = 2 // Text is a file; empty: all. One command for each sound
	speakerEngine   = 3 // Text
	speakerLanguage = 4 // Text
	SpeakerSpeak    = 5 // Text, Value[0] volume
)

// layouts are the fields after a command's code: b a byte, u 16 bits, i 32 bits, d a double, s a text behind its 16-bit
// length, t one behind a 32-bit length, n data behind a 32-bit length.
func layouts(k Kind, code uint16) (layout string, ok bool) {
	switch k {
	case Robot:
		switch code {
		case RobotConsole:
			return "bt", true
		case RobotBatteryPeriod, RobotKeyboardPeriod, RobotJoystickPeriod, RobotMousePeriod:
			return "u", true
		case RobotRemoteOn, RobotRemoteOff, RobotExit:
			return "", true
		case RobotSetData, RobotURDF:
			return "s", true
		case RobotMouse3D, RobotPin:
			return "b", true
		case RobotAwaitInput:
			return "ii", true
		case RobotWindowMessage:
			return "n", true
		}
	case Motor, LinearMotor:
		switch code {
		case MotorPosition, MotorVelocity, MotorAvailableForce, MotorForce, MotorAcceleration:
			return "d", true
		case MotorFeedback, MotorAssociated:
			return "u", true
		case MotorPID:
			return "ddd", true
		}
	case LED:
		return "i", code == LEDSet
	case Emitter:
		layout, ok = map[uint16]string{EmitterSend: "idn", EmitterChannel: "i", emitterRange: "d"}[code]
		return layout, ok
	case Speaker:
		layout, ok = map[uint16]string{speakerEngine: "s", speakerLanguage: "s", SpeakerSpeak: "sd"}[code]
		return layout, ok
	case Accelerometer, Compass, DistanceSensor, GPS, Gyro, InertialUnit, Lidar, LightSensor, PositionSensor, TouchSensor, Camera, Receiver:
		return sensorLayout(k, code)
	}
	return "", false
}

// sensorLayout is layouts of what is measured.
func sensorLayout(k Kind, code uint16) (layout string, ok bool) {
	switch {
	case code == Period:
		return "u", true
	case k == PositionSensor && code == PositionAssociated:
		return "u", true
	case k == Receiver && code == ReceiverChannel:
		return "i", true
	case k == Camera && (code == CameraFieldOfView || code == CameraFocal || code == CameraExposure):
		return "d", true
	case k == Camera && code == CameraRecognitionPeriod:
		return "u", true
	case k == Camera && code == CameraSegmentation:
		return "b", true
	case k == Lidar && code == LidarFrequency:
		return "d", true
	case k == Lidar && (code == LidarPoints || code == LidarNoPoints):
		return "", true
	}
	return "", false
}

// Commands reads the commands of a part for a device of a kind. It fails if the part ends within a command, a text does
// not end in NUL, or the kind has no such command; the error names the number of bytes, or command and kind.
func (r Release) Commands(k Kind, body []byte) (list []Command, err error) {
	d := decoder{b: body}
	for len(d.b) > 0 && d.err == nil {
		var c Command
		if k == Motor || k == LinearMotor {
			c.Code = d.uint16()
		} else {
			c.Code = uint16(d.byte())
		}
		if d.err != nil {
			break
		}
		if k == Speaker && (c.Code == SpeakerPlay || c.Code == SpeakerStop) {
			list = append(list, d.sounds(c.Code, r.uploads)...)
			continue
		}
		layout, ok := layouts(k, c.Code)
		if !ok {
			return nil, fmt.Errorf("%w %d of a device of kind %d", errCommand, c.Code, k)
		}
		d.fill(layout, &c)
		list = append(list, c)
	}
	if d.err != nil {
		return nil, d.err
	}
	return list, nil
}

// decoder reads bytes; after its first error all is zero.
type decoder struct {
	b   []byte
	err error
}

// next takes n bytes.
func (d *decoder) next(n uint64) []byte {
	if d.err == nil && n > uint64(len(d.b)) {
		d.err = fmt.Errorf("%w: %d of %d bytes of a command", errShort, len(d.b), n)
	}
	if d.err != nil {
		d.b = nil
		return nil
	}
	b := d.b[:n:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) byte() (v byte) {
	if b := d.next(1); b != nil {
		v = b[0]
	}
	return v
}

func (d *decoder) uint16() (v uint16) {
	if b := d.next(2); b != nil {
		v = binary.LittleEndian.Uint16(b)
	}
	return v
}

func (d *decoder) uint32() (v uint32) {
	if b := d.next(4); b != nil {
		v = binary.LittleEndian.Uint32(b)
	}
	return v
}

func (d *decoder) double() (v float64) {
	if b := d.next(8); b != nil {
		v = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return v
}

// text reads n bytes that end in NUL.
func (d *decoder) text(n uint64) string {
	b := d.next(n)
	if d.err == nil && (n == 0 || b[n-1] != 0) {
		d.err = fmt.Errorf("%w: a text of %d bytes without its end", errSize, n)
	}
	if d.err != nil {
		return ""
	}
	return string(b[:n-1])
}

// fill reads what a layout says.
func (d *decoder) fill(layout string, c *Command) {
	numbers, values := c.Number[:], c.Value[:]
	number := func(v int32) { numbers[0], numbers = v, numbers[1:] }
	for _, what := range layout {
		switch what {
		case 'b':
			number(int32(d.byte()))
		case 'u':
			number(int32(d.uint16()))
		case 'i':
			number(int32(d.uint32()))
		case 'd':
			values[0], values = d.double(), values[1:]
		case 's':
			c.Text = d.text(uint64(d.uint16()))
		case 't':
			c.Text = d.text(uint64(d.uint32()))
		case 'n':
			c.Data = d.next(uint64(d.uint32()))
		}
	}
}

// sounds reads the list of sounds that play or stop. From R2025a on, a list of those that play also has for each sound
// that was played before whether its file is included.
func (d *decoder) sounds(code uint16, uploads bool) (list []Command) {
	if code == SpeakerStop {
		n := int(d.uint16())
		if n == 0 && d.err == nil {
			return []Command{{Code: code}}
		}
		for ; n > 0 && d.err == nil; n-- {
			list = append(list, Command{Code: code, Text: d.text(uint64(d.uint16()))})
		}
		return list
	}
	skip := func() {
		for uploads && len(d.b) >= 4 && binary.LittleEndian.Uint32(d.b) == 0 {
			d.next(4)
		}
	}
	for n := d.uint32(); n > 0 && d.err == nil; n-- {
		skip()
		c := Command{Code: code}
		d.fill("sdddub", &c)
		if uploads {
			c.Data = d.next(uint64(d.uint32()))
		}
		list = append(list, c)
	}
	skip()
	return list
}
