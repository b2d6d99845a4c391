// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
)

// onBattery logs changes of the battery's level, and stops the wheels while the battery is critical.
func (d *Driver) onBattery(c battery.Change, r *table.BatteryReading) {
	d.battery.Put(*r)
	switch {
	case c.Critical:
		d.loop.Hold(wheels.HoldBattery)
		d.log.Error("the battery is critical: wheels stopped until it is charged", "voltage", r.Robot.Voltage)
	case c.From == battery.LevelCritical && c.To != battery.LevelCritical:
		d.loop.Free(wheels.HoldBattery)
		d.log.Info("the battery is no longer critical; cmd_vel is accepted again", "voltage", r.Robot.Voltage)
	case c.To > c.From && c.To > battery.LevelOK:
		d.log.Warn("charge the battery", "level", c.To.String(), "voltage", r.Robot.Voltage)
	}
	switch {
	case c.PowerOff && c.Err != nil:
		d.log.Error("the machine can't be switched off", "error", c.Err)
	case c.PowerOff:
		d.log.Warn("the battery is critical: the machine is switched off")
	}
}

// switchOff stops the wheels and shuts the machine down, which ends the driver cleanly.
func (d *Driver) switchOff(powerOff func() error) {
	d.loop.Hold(wheels.HoldOff)
	d.log.Warn("the button was held: wheels stopped, the machine is switched off")
	if err := powerOff(); err != nil {
		d.loop.Free(wheels.HoldOff)
		d.log.Error("the machine can't be switched off; cmd_vel is accepted again", "error", err)
	}
}
