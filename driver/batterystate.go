// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
)

// batteryPolls is how often the battery's files may be looked at, Hz. There are two, one is read at a time, and both
// once a second.
const batteryPolls = 20

// batteryPart is the battery's converter as a part, with the one who watches what it measures.
type batteryPart struct {
	*battery.Dev
	monitor *battery.Monitor
	into    *table.Reading
	changed func(c battery.Change, r *table.BatteryReading)
}

func (d *Driver) newBatteryPart(cfg *Config, set *table.Settings) (*batteryPart, error) {
	dev, err := battery.New(&battery.Opts{Root: cfg.Files, Charger: cfg.Charger})
	if err != nil {
		return nil, err
	}
	watch := battery.MonitorConfig{}
	if set.PowerOff {
		watch.PowerOff = cfg.PowerOff
	}
	monitor, err := battery.NewMonitor(watch)
	if err != nil {
		return nil, err
	}
	return &batteryPart{Dev: dev, monitor: monitor, into: &d.board.reading, changed: d.onBattery}, nil
}

func (p *batteryPart) Measure(now time.Time) (news bool, err error) {
	news, err = p.Poll(now)
	if errors.Is(err, battery.ErrAbsent) { // as on most robots in a simulation
		return false, nil
	}
	if r := p.into; news {
		r.Battery.Reading = p.Reading()
		change := p.monitor.Update(now, r.Battery.Reading)
		r.Battery.Level = change.To
		p.changed(change, &r.Battery)
	}
	return news, err
}

// onBattery says what has become of the battery, and stops the wheels of a robot whose battery is critical.
func (d *Driver) onBattery(c battery.Change, r *table.BatteryReading) {
	d.battery.put(*r)
	switch {
	case c.Critical:
		d.loop.Hold(wheels.HoldBattery)
		d.log.Error("the battery is critical: wheels stopped until it is charged", "voltage", r.Robot.Voltage)
	case c.From == battery.LevelCritical && c.To != battery.LevelCritical:
		d.loop.Free(wheels.HoldBattery)
		d.log.Info("the battery is not critical any more; cmd_vel is obeyed again", "voltage", r.Robot.Voltage)
	case c.To > c.From && c.To > battery.LevelOK:
		d.log.Warn("charge the battery", "level", c.To.String(), "voltage", r.Robot.Voltage)
	}
	switch {
	case c.PowerOff && c.Err != nil:
		d.log.Error("the machine can't be switched off", "error", c.Err)
	case c.PowerOff:
		d.log.Warn("the battery is critical: the machine switches itself off")
	}
}
