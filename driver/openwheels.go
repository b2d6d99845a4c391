// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	bus "github.com/epuck-ros2/epuck-driver/i2c"
)

// stopTime is the default of Config.StopTime.
const stopTime = 450 * time.Millisecond

// openWheels creates the wheels' loop on the bus, and opens the bus again for the parts and for the guard.
func (d *Driver) openWheels(cfg *Config, set *table.Settings) (err error) {
	parts, guard := cfg.Bus, cfg.Bus
	if cfg.OpenBus != nil {
		for _, b := range []*i2c.Bus{&parts, &guard} {
			opened, err := cfg.OpenBus()
			if err != nil {
				return err
			}
			d.again = append(d.again, opened)
			*b = opened
		}
	}
	stop := cfg.StopTime
	if stop == 0 {
		stop = stopTime
	}
	d.newTimer = d.wheelTimers(cfg.WheelTimer)
	d.bus.meter = bus.NewMeter(parts, d.clock.Now)
	d.loop, err = wheels.New(wheels.Config{
		Bus: cfg.Bus, Guard: guard, Selector: cfg.Selector, Period: set.Period, StopTime: stop,
		Now: d.clock.Now, NewTimer: d.newTimer,
	})
	if err == nil {
		d.loop.SetTimeout(set.Timeout)
	}
	return err
}

// wheelTimers returns the constructor of the timers of the wheels' loop. It never fails: an emergency stop needs a
// timer, too.
func (d *Driver) wheelTimers(own func(time.Duration) (wheels.Timer, error)) func(time.Duration) wheels.Timer {
	return func(after time.Duration) wheels.Timer {
		if own != nil {
			if t, err := own(after); err == nil {
				return t
			}
		}
		return d.clock.NewTimer(after)
	}
}

// closeWheels closes what openWheels has opened.
func (d *Driver) closeWheels() error {
	var errs []error
	for _, b := range d.again {
		errs = append(errs, b.Close())
	}
	d.again = nil
	return errors.Join(errs...)
}
