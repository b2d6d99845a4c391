// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"github.com/epuck-ros2/epuck-driver/driver/devices"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
)

// addParts adds every part that may be present to the schedule of its bus, in the order in which those of one bus are
// polled. It does not communicate with the robot.
func (d *Driver) addParts(cfg *Config, set *table.Settings) error {
	v, ro, board := d.devices, d.bus.parts, d.board.parts
	if v.IMU != nil {
		d.bus.imu = devices.NewIMU(v.IMU, set.IMURate, ro.reading, d.host())
		d.bus.inertial = d.add(ro, parts.IMU, d.bus.imu, set.IMURate)
		d.bus.inertial.Measures()
		d.bus.inertial.PlanWhenWanted(d.imuWanted)
	}
	if v.ToF != nil {
		d.bus.tof = d.add(ro, parts.ToF, devices.NewToF(v.ToF, ro.reading), set.ToFRate)
		d.bus.tof.Measures()
		d.bus.tof.PlanWhenWanted(d.tofNeeded)
	}
	if v.Ground != nil {
		s := d.add(ro, parts.Ground, devices.NewGround(v.Ground, ro.reading), set.GroundRate)
		s.Measures()
		s.PlanWhenWanted(s.Wanted)
	}
	if v.Camera != nil { // once set up, it is only checked for presence
		s := d.add(ro, parts.Camera, devices.CameraSensor{CameraSensor: v.Camera}, devices.CameraPolls)
		s.PlanWhenWanted(func() bool { return false })
	}
	if v.LEDs != nil {
		d.add(board, parts.LEDs, devices.LEDs{LEDs: v.LEDs}, devices.LEDPolls).Plan(v.LEDs.Next)
	}
	if v.Mag != nil {
		s := d.add(board, parts.Mag, devices.NewMagnetometer(v.Mag, board.reading, d.host()), set.MagRate)
		s.Measures()
		s.PlanWhenWanted(s.Wanted)
	}
	if d.bus.imu != nil && set.MagRate > 0 {
		d.bus.field = d.add(ro, parts.IMUField, d.bus.imu.Magnetometer(), max(set.IMURate, 1))
		d.bus.field.PlanWhenWanted(d.bus.imu.FieldNews)
	}
	if v.Button != nil && cfg.PowerOff != nil && set.ButtonOff {
		d.add(board, parts.Button, devices.NewButton(v.Button, func() { d.switchOff(cfg.PowerOff) }), devices.ButtonPolls)
	}
	if v.Battery == nil {
		return nil
	}
	opts := devices.BatteryOpts{Changed: d.onBattery}
	if set.PowerOff {
		opts.PowerOff = cfg.PowerOff
	}
	p, err := devices.NewBatteries(v.Battery, opts, board.reading)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrConfig, parts.Battery, err)
	}
	d.add(board, parts.Battery, p, devices.BatteryPolls).Plan(p.Next)
	return nil
}

// add adds a part that is polled at a rate in Hz to a schedule.
func (d *Driver) add(to busParts, name parts.Name, p parts.Part, rate float64) *parts.Slot {
	s := parts.NewSlot(name, p, d.devices.Limits[name], rate, &partTopics{d: d, name: name}, d.clock.Now())
	to.Add(s)
	return s
}

// tofNeeded reports whether the distance ahead is needed. The scan has it, too.
func (d *Driver) tofNeeded() bool {
	return d.bus.tof.Wanted() || d.outputs.Wanted() && d.scan.Wanted()
}

// imuWanted reports whether the IMU is polled by its rate. Its magnetometer is read by the same poll.
func (d *Driver) imuWanted() bool {
	return d.bus.inertial.Wanted() || d.bus.imu.Calibrating() || d.fieldWanted()
}

// imuNeeded reports whether the IMU's samples are needed.
func (d *Driver) imuNeeded() bool {
	return d.bus.inertial.Wanted() || d.bus.imu.Sampling() || d.fieldWanted()
}

// fieldWanted reports whether the measurements of the IMU's magnetometer have a subscriber.
func (d *Driver) fieldWanted() bool { return d.bus.field != nil && d.bus.field.Wanted() }

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

// host returns the driver's callbacks for the parts.
func (d *Driver) host() devices.Host {
	return devices.Host{Now: d.clock.Now, Stamp: d.stamp, Corrections: d.corrections, AtRest: d.atRest, Log: d.log, Calibrated: d.calibrated}
}

// corrections returns the current corrections.
func (d *Driver) corrections() *table.Corrections { return &d.settings.Load().Correct }

// atRest reports whether the wheels are known to be at rest. Constant counters prove that only if the robot accepts
// commands: the wheels of a robot that has just started could begin to turn. It belongs to the bus goroutine.
func (d *Driver) atRest() bool {
	b := &d.bus
	return !b.wheels.Lost && !b.taken.IsZero() && b.wheels.WheelsListen && b.wheels.Sent == wheels.Speeds{} && b.reading.Pose.V == 0 && b.reading.Pose.Omega == 0
}
