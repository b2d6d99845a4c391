// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"

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
		{partMag, true, func(s *settings) float64 { return s.magRate }, newMagPart},
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
		s.wanted = d.wantedPart(s)
		ro.add(s)
	}
	if d.bus.imu != nil && set.magRate > 0 {
		d.bus.parts.add(newSlot(partIMUField, imuField{d.bus.imu}, nil, 2*set.magRate, now))
	}
	if cfg.Files == nil {
		return nil
	}
	p, err := d.newBatteryPart(cfg, set)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrConfig, partBattery, err)
	}
	d.board.parts.add(newSlot(partBattery, p, nil, batteryPolls, now))
	return nil
}

// wantedPart tells when what a part measures is wanted; nil is always, for parts that are there to be written to.
func (d *Driver) wantedPart(s *slot) func() bool {
	switch s.name {
	case partToF: // it is the scan's ray ahead, too
		return func() bool { return s.link.heard() || d.scanned() }
	case partIMU: // its magnetometer's measurements come with its own
		return func() bool { return s.link.heard() || d.bus.imu.cal.busy() || d.fieldHeard() }
	case partGround, partMag:
		return s.link.heard
	}
	return nil
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
		if err := ro.halt(); err != nil {
			d.log.Debug("a part was not switched off", "error", err)
		}
	}
}
