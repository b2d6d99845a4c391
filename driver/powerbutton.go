// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
)

// buttonPolls is how often the Pi-puck's button is looked at, Hz; as often as the battery, so that both wake the
// processor once.
const buttonPolls = batteryPolls

// buttonPart is the Pi-puck's button as a part: a user who holds it wants to switch off. It has no topics.
type buttonPart struct {
	button *pipuck.Button
	held   func()
}

// State is Running: a pin is there from the start.
func (p *buttonPart) State() device.State { return device.Running }

func (p *buttonPart) Measure(now time.Time) (news bool, err error) {
	if p.button.Poll(now) == pipuck.ButtonHeld {
		p.held()
	}
	return false, nil
}

func (p *buttonPart) String() string { return "button of the Pi-puck" }

// Halt has nothing to do: the pin is an input.
func (p *buttonPart) Halt() error { return nil }

// addButton gives the button its place, if there is one and a way to switch off.
func (d *Driver) addButton(cfg *Config, set *table.Settings, now time.Time) {
	if cfg.Button == nil || cfg.PowerOff == nil || !set.ButtonOff {
		return
	}
	p := &buttonPart{button: cfg.Button, held: func() { d.switchOff(cfg.PowerOff) }}
	d.board.parts.Add(parts.NewSlot(parts.Button, p, nil, buttonPolls, d.topicsOf(parts.Button), now))
}

// switchOff stops the wheels and has the machine switched off, which ends the driver in order.
func (d *Driver) switchOff(powerOff func() error) {
	d.loop.Hold(wheels.HoldOff)
	d.log.Warn("the button was held: wheels stopped, the machine switches itself off")
	if err := powerOff(); err != nil {
		d.loop.Free(wheels.HoldOff)
		d.log.Error("the machine can't be switched off; cmd_vel is obeyed again", "error", err)
	}
}
