// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"context"
	"log/slog"
	"strings"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// root is the robot itself as a device.
type root struct {
	sampler // of the battery
	custom  string
}

// configure implements device; the robot's description includes all devices.
func (r *root) configure(*wire.Answer) {}

// Messages that answer what a world of this program does not have.
const (
	inputEvent = 80 // code of both directions
	urdfText   = 46
)

// execute implements device.
func (r *root) execute(b *body, c wire.Command, a *wire.Answer) error {
	switch c.Code {
	case wire.RobotConsole:
		level := slog.LevelInfo
		if c.Number[0] == 2 {
			level = slog.LevelWarn
		}
		b.server.cfg.Logger.Log(context.Background(), level, strings.TrimRight(c.Text, "\n"), "controller_of", b.Name())
	case wire.RobotBatteryPeriod:
		r.every(c.Number[0], b.server.now)
	case wire.RobotSetData:
		r.custom = c.Text
	case wire.RobotExit:
		b.left = true
	case wire.RobotRemoteOn, wire.RobotRemoteOff:
		b.missing("remote control of a real robot", "it stays with the simulated one")
	case wire.RobotKeyboardPeriod, wire.RobotJoystickPeriod, wire.RobotMousePeriod, wire.RobotMouse3D:
		if c.Number[0] == 0 { // it is switched off
			break
		}
		b.missing("keyboard, joystick or mouse", "no key is pressed")
	case wire.RobotPin:
		b.missing("to pin the robot to the ground", "nothing")
	case wire.RobotWindowMessage:
		b.missing("a robot window", "nothing")
	case wire.RobotURDF:
		a.Begin(0, urdfText)
		a.String(b.urdf(c.Text))
	case wire.RobotAwaitInput:
		b.missing("keyboard, joystick or mouse", "no key is pressed")
		a.Begin(0, inputEvent)
		a.Int32(0) // no event
	}
	return nil
}

// measure implements device: the battery's energy, J.
func (r *root) measure(b *body, a *wire.Answer) {
	if r.due(b.server.now) {
		a.Begin(0, wire.RobotBatteryValue)
		a.Doubles(b.charge())
	}
}
