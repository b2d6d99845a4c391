// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"errors"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
)

// BatteryPolls is the polling rate of the battery, Hz. The kernel has two files; each poll reads one, and both
// are read once a second.
const BatteryPolls = 20

// Batteries is the part of the batteries, with the monitor of its measurements.
type Batteries struct {
	hardware.Battery
	monitor *battery.Monitor
	into    *table.Reading
	changed func(c battery.Change, r *table.BatteryReading)
}

// BatteryOpts are the options of [NewBatteries].
type BatteryOpts struct {
	// PowerOff switches the machine off when the battery is critical. nil: it stays on.
	PowerOff func() error
	// Changed is called for each measurement with the change it caused.
	Changed func(c battery.Change, r *table.BatteryReading)
}

// NewBatteries returns the part, which measures into the reading.
func NewBatteries(dev hardware.Battery, o BatteryOpts, r *table.Reading) (*Batteries, error) {
	monitor, err := battery.NewMonitor(battery.MonitorConfig{PowerOff: o.PowerOff})
	if err != nil {
		return nil, err
	}
	return &Batteries{Battery: dev, monitor: monitor, into: r, changed: o.Changed}, nil
}

// Measure reads a file.
func (p *Batteries) Measure(now time.Time) (news bool, err error) {
	news, err = p.Poll(now)
	if errors.Is(err, battery.ErrAbsent) { // as on most simulated robots
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
