// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
)

// ButtonPolls is the polling rate of the Pi-puck's button, Hz: that of the battery, so that one wake-up of the
// processor serves both.
const ButtonPolls = BatteryPolls

// Button is the Pi-puck's button as a part: holding it requests power-off. It has no topics.
type Button struct {
	button hardware.Button
	held   func()
}

// NewButton returns the part of the button; held is called after a long press.
func NewButton(button hardware.Button, held func()) *Button {
	return &Button{button: button, held: held}
}

// State returns Running: a pin needs no start.
func (p *Button) State() device.State { return device.Running }

// Measure reads the pin.
func (p *Button) Measure(now time.Time) (news bool, err error) {
	if p.button.Poll(now) == pipuck.ButtonHeld {
		p.held()
	}
	return false, nil
}

// String returns the part's name.
func (p *Button) String() string { return "button of the Pi-puck" }

// Halt does nothing: the pin is an input.
func (p *Button) Halt() error { return nil }
