// SPDX-License-Identifier: Apache-2.0

package teleop

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// JoystickEventSize is the size of struct js_event (Linux, Documentation/input/joydev/joystick-api.rst), bytes.
const JoystickEventSize = 8

// Types of joystick events; init marks those that report the initial state.
const (
	joystickButton = 0x01
	joystickAxis   = 0x02
	joystickInit   = 0x80
)

// ErrJoystick is the error of bytes that are not joystick events.
var ErrJoystick = errors.New("teleop: no joystick event")

// Joystick is the state of a joystick with the meaning of its axes. It is not safe for concurrent use.
type Joystick struct {
	// LinearAxis and AngularAxis are axes: up and left are positive speeds.
	LinearAxis, AngularAxis int
	// EnableButton must be held to drive; −1 for none.
	EnableButton int
	// Speed and Turn are the speeds at the ends of the axes, m/s and rad/s.
	Speed, Turn float64
	// DeadZone is the share of an axis around its middle that counts as 0, from 0 to below 1.
	DeadZone float64

	axes    [256]int16
	buttons [256]bool
}

// Decode decodes events of /dev/input/js*. An error matches [ErrJoystick].
func (j *Joystick) Decode(data []byte) error {
	if len(data)%JoystickEventSize != 0 {
		return fmt.Errorf("%w: %d bytes", ErrJoystick, len(data))
	}
	for ; len(data) > 0; data = data[JoystickEventSize:] {
		value, number := int16(binary.NativeEndian.Uint16(data[4:])), data[7]
		switch data[6] &^ joystickInit {
		case joystickAxis:
			j.axes[number] = value
		case joystickButton:
			j.buttons[number] = value != 0
		default:
			return fmt.Errorf("%w: type %#x", ErrJoystick, data[6])
		}
	}
	return nil
}

// Command returns the present speeds: m/s forward, rad/s to the left.
func (j *Joystick) Command() (v, w float64) {
	if b := j.EnableButton; b >= 0 && (b > 255 || !j.buttons[b]) {
		return 0, 0
	}
	return -j.axis(j.LinearAxis) * j.Speed, -j.axis(j.AngularAxis) * j.Turn // down and right are positive in events
}

// axis returns the value of an axis from −1 to 1, without the dead zone.
func (j *Joystick) axis(n int) float64 {
	if n < 0 || n > 255 {
		return 0
	}
	x := math.Max(float64(j.axes[n])/math.MaxInt16, -1)
	if math.Abs(x) <= j.DeadZone {
		return 0
	}
	return math.Copysign((math.Abs(x)-j.DeadZone)/(1-j.DeadZone), x)
}
