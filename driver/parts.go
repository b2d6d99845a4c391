// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"
)

// partRow is one row of the table of parts: where a part is looked for, how often it is polled and who makes it.
type partRow struct {
	name  partName
	board bool // on the Pi-puck board's bus, else on the robot's
	rate  func(s *settings) float64
	make  func(bus i2c.Bus, s *settings) (part, error)
}

// partRows lists the chips in the order in which those of one bus are polled.
func (d *Driver) partRows() []partRow {
	return []partRow{
		{partIMU, false, func(s *settings) float64 { return s.imuRate }, d.newIMUPart},
		{partToF, false, func(s *settings) float64 { return s.tofRate }, newToFPart},
		{partGround, false, func(s *settings) float64 { return s.groundRate }, newGroundPart},
		{partCamera, false, func(s *settings) float64 { return s.cameraRate }, newCameraPart},
		{partLEDs, true, func(*settings) float64 { return ledPolls }, d.newLEDPart},
		{partMag, true, func(s *settings) float64 { return s.magRate }, d.newMagPart},
	}
}

// addParts gives every part that may be there its place in a schedule. It makes no transaction.
func (d *Driver) addParts(cfg *Config, set *settings) error {
	now := d.clock.Now()
	for _, row := range d.partRows() {
		rate := row.rate(set)
		bus, ro := i2c.Bus(d.bus.meter), &d.bus.parts
		if row.board {
			bus, ro = d.board.bus(), &d.board.parts
		}
		if rate == 0 || bus == nil {
			continue
		}
		g := &guard{bus: bus, now: d.clock.Now}
		p, err := row.make(g, set)
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrConfig, row.name, err)
		}
		s := newSlot(row.name, p, g, rate, now)
		s.plan = d.planFor(s)
		s.measures = row.name == partIMU || row.name == partToF || row.name == partGround || row.name == partMag
		ro.add(s)
	}
	if d.bus.imu != nil && set.magRate > 0 {
		s := newSlot(partIMUField, imuField{d.bus.imu}, nil, max(set.imuRate, 1), now)
		s.plan = s.whenWanted(func() bool { return d.bus.imu.fresh })
		d.bus.parts.add(s)
	}
	d.addButton(cfg, set, now)
	if cfg.Files == nil {
		return nil
	}
	p, err := d.newBatteryPart(cfg, set)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrConfig, partBattery, err)
	}
	s := newSlot(partBattery, p, nil, batteryPolls, now)
	s.plan = p.Next
	d.board.parts.add(s)
	return nil
}

// planFor tells when a part that runs has something to do for somebody.
func (d *Driver) planFor(s *slot) func() time.Time {
	switch s.name {
	case partToF: // it is the scan's ray ahead, too
		return s.whenWanted(func() bool { return s.link.heard() || d.scanned() })
	case partIMU: // its magnetometer's measurements come with its own
		return s.whenWanted(func() bool { return s.link.heard() || d.bus.imu.cal.busy() || d.fieldHeard() })
	case partGround, partMag:
		return s.whenWanted(s.link.heard)
	case partCamera: // once it is set up it is only to be seen whether it stays so
		return s.whenWanted(func() bool { return false })
	case partLEDs:
		return d.board.leds.Next
	}
	return nil
}

// whenWanted plans a part by its period while it is wanted, and a look a second at it otherwise.
func (s *slot) whenWanted(wanted func() bool) func() time.Time {
	return func() time.Time {
		if wanted() {
			return time.Time{}
		}
		return s.polled.Add(quietPeriod)
	}
}

// scanned reports whether anybody subscribes to the scan.
func (d *Driver) scanned() bool { return d.scan != nil && d.scan.wanted() }

// fieldHeard reports whether anybody subscribes to what the IMU's magnetometer measures.
func (d *Driver) fieldHeard() bool {
	for _, s := range d.bus.parts.slots {
		if s.name == partIMUField {
			return s.link.heard()
		}
	}
	return false
}

// rosters gives the schedules of both buses.
func (d *Driver) rosters() []*roster { return []*roster{&d.bus.parts, &d.board.parts} }

// haltParts switches every part off that can be reached.
func (d *Driver) haltParts() {
	for _, ro := range d.rosters() {
		d.haltRoster(ro)
	}
}

func (d *Driver) haltRoster(ro *roster) {
	if err := ro.halt(); err != nil {
		d.log.Debug("a part was not switched off", "error", err)
	}
}
