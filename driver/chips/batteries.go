// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"errors"
	"io/fs"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/battery"
)

// BatteryPolls is the polling rate of the battery's files, Hz. There are two; each poll reads one of them, and both
// are read once a second.
const BatteryPolls = 20

// Batteries is the part of the batteries' converter, with the monitor of its measurements.
type Batteries struct {
	*battery.Dev
	monitor *battery.Monitor
	into    *table.Reading
	changed func(c battery.Change, r *table.BatteryReading)
}

// BatteryOpts are the options of [NewBatteries].
type BatteryOpts struct {
	// Files is the machine's file system, where the kernel's files are.
	Files fs.FS
	// Charger reports whether a charger is connected, and whether that is known. nil: not known.
	Charger func() (connected, known bool)
	// PowerOff switches the machine off when the battery is critical. nil: it stays on.
	PowerOff func() error
	// Changed is called for each measurement with the change it caused.
	Changed func(c battery.Change, r *table.BatteryReading)
}

// NewBatteries returns the part, which measures into the reading.
func NewBatteries(o BatteryOpts, r *table.Reading) (*Batteries, error) {
	dev, err := battery.New(&battery.Opts{Root: o.Files, Charger: o.Charger})
	if err != nil {
		return nil, err
	}
	monitor, err := battery.NewMonitor(battery.MonitorConfig{PowerOff: o.PowerOff})
	if err != nil {
		return nil, err
	}
	return &Batteries{Dev: dev, monitor: monitor, into: r, changed: o.Changed}, nil
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
