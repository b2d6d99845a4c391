// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
)

// partRow is one row of the table of parts: its bus, its polling rate and its constructor.
type partRow struct {
	name  parts.Name
	board bool // on the Pi-puck board's bus instead of the robot's
	rate  func(s *table.Settings) float64
	make  maker
}

// maker makes a part on a bus; the part measures into the reading.
type maker func(bus i2c.Bus, set *table.Settings, r *table.Reading) (parts.Part, error)

// partRows lists the chips in the order in which those of one bus are polled.
func (d *Driver) partRows() []partRow {
	return []partRow{
		{parts.IMU, false, func(s *table.Settings) float64 { return s.IMURate }, d.newIMU},
		{parts.ToF, false, func(s *table.Settings) float64 { return s.ToFRate },
			func(bus i2c.Bus, set *table.Settings, r *table.Reading) (parts.Part, error) {
				return chips.NewToF(bus, set, r)
			}},
		{parts.Ground, false, func(s *table.Settings) float64 { return s.GroundRate },
			func(bus i2c.Bus, _ *table.Settings, r *table.Reading) (parts.Part, error) {
				return chips.NewGround(bus, r)
			}},
		{parts.Camera, false, chips.CameraRate,
			func(bus i2c.Bus, set *table.Settings, _ *table.Reading) (parts.Part, error) {
				return chips.NewCameraSensor(bus, set)
			}},
		{parts.LEDs, true, func(*table.Settings) float64 { return chips.LEDPolls }, d.newLEDs},
		{parts.Mag, true, func(s *table.Settings) float64 { return s.MagRate },
			func(bus i2c.Bus, set *table.Settings, r *table.Reading) (parts.Part, error) {
				return chips.NewMagnetometer(bus, set, r, d.host())
			}},
	}
}

// newIMU creates the IMU, which calibrations use.
func (d *Driver) newIMU(bus i2c.Bus, set *table.Settings, r *table.Reading) (parts.Part, error) {
	p, err := chips.NewIMU(bus, set, r, d.host())
	d.bus.imu = p
	return p, err
}

// newLEDs creates the LEDs of the board, which subscriptions set.
func (d *Driver) newLEDs(bus i2c.Bus, _ *table.Settings, _ *table.Reading) (parts.Part, error) {
	p, err := chips.NewLEDs(bus)
	d.board.leds = p.Dev
	return p, err
}

// addParts adds every part that may be present to the schedule of its bus. It makes no transaction.
func (d *Driver) addParts(cfg *Config, set *table.Settings) error {
	now := d.clock.Now()
	for _, row := range d.partRows() {
		rate := row.rate(set)
		bus, ro := i2c.Bus(d.bus.meter), d.bus.parts
		if row.board {
			bus, ro = d.board.bus(), d.board.parts
		}
		if rate == 0 || bus == nil {
			continue
		}
		g := parts.NewGuard(bus, d.clock.Now)
		p, err := row.make(g, set, ro.reading)
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrConfig, row.name, err)
		}
		s := parts.NewSlot(row.name, p, g, rate, d.topicsOf(row.name), now)
		d.planFor(s)
		if row.name == parts.IMU || row.name == parts.ToF || row.name == parts.Ground || row.name == parts.Mag {
			s.Measures()
		}
		ro.Add(s)
	}
	if d.bus.imu != nil && set.MagRate > 0 {
		s := parts.NewSlot(parts.IMUField, d.bus.imu.Magnetometer(), nil, max(set.IMURate, 1), d.topicsOf(parts.IMUField), now)
		s.PlanWhenWanted(d.bus.imu.FieldNews)
		d.bus.parts.Add(s)
	}
	d.addButton(cfg, set, now)
	if cfg.Files == nil {
		return nil
	}
	opts := chips.BatteryOpts{Files: cfg.Files, Charger: cfg.Charger, Changed: d.onBattery}
	if set.PowerOff {
		opts.PowerOff = cfg.PowerOff
	}
	p, err := chips.NewBatteries(opts, &d.board.reading)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrConfig, parts.Battery, err)
	}
	s := parts.NewSlot(parts.Battery, p, nil, chips.BatteryPolls, d.topicsOf(parts.Battery), now)
	s.Plan(p.Next)
	d.board.parts.Add(s)
	return nil
}

// topicsOf returns the topics of a part, not yet created.
func (d *Driver) topicsOf(name parts.Name) *partTopics { return &partTopics{d: d, name: name} }

// planFor sets the polling times of a running part.
func (d *Driver) planFor(s *parts.Slot) {
	switch s.Name() {
	case parts.ToF: // the scan uses its distance
		s.PlanWhenWanted(func() bool { return s.Wanted() || d.scanned() })
	case parts.IMU: // its magnetometer is read by the same poll
		s.PlanWhenWanted(func() bool { return s.Wanted() || d.bus.imu.Calibrating() || d.fieldWanted() })
	case parts.Ground, parts.Mag:
		s.PlanWhenWanted(s.Wanted)
	case parts.Camera: // once set up, it is only checked for presence
		s.PlanWhenWanted(func() bool { return false })
	case parts.LEDs:
		s.Plan(d.board.leds.Next)
	}
}

// scanned reports whether the scan has a subscriber.
func (d *Driver) scanned() bool { return d.scan != nil && d.scan.Wanted() }

// fieldWanted reports whether the measurements of the IMU's magnetometer have a subscriber.
func (d *Driver) fieldWanted() bool {
	for _, s := range d.bus.parts.Slots() {
		if s.Name() == parts.IMUField {
			return s.Wanted()
		}
	}
	return false
}

// partSchedules returns the schedules of both buses.
func (d *Driver) partSchedules() []busParts { return []busParts{d.bus.parts, d.board.parts} }

// haltParts switches off every part that can be reached.
func (d *Driver) haltParts() {
	for _, ro := range d.partSchedules() {
		if err := ro.Halt(); err != nil {
			d.log.Debug("can't switch off a part", "error", err)
		}
	}
}

// host returns the driver's callbacks for the chips.
func (d *Driver) host() chips.Host {
	return chips.Host{Now: d.clock.Now, Stamp: d.stamp, Corrections: d.corrections, AtRest: d.atRest, Log: d.log, Calibrated: d.calibrated}
}

// corrections returns the current corrections.
func (d *Driver) corrections() *table.Corrections { return &d.settings.Load().Correct }

// atRest reports whether the wheels are known to be at rest. Constant counters prove that only if the robot accepts
// commands: the wheels of a robot that has just started could begin to turn. It belongs to the bus goroutine.
func (d *Driver) atRest() bool {
	b := &d.bus
	return !b.wheels.Lost && !b.taken.IsZero() && b.wheels.WheelsListen && b.wheels.Sent == wheels.Speeds{} && b.reading.Pose.V == 0 && b.reading.Pose.Omega == 0
}
