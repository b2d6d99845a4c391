// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/odometry"
)

// exchange sends the command in force and takes the reading it is answered with.
func (d *Driver) exchange(now time.Time) error {
	b := &d.bus
	want := d.target(now)
	command := mcu.Command{Left: want.left, Right: want.right}
	d.lights.put(&command)
	b.moved = b.moved || want != wheelSteps{}
	sensors, err := d.dev.Exchange(command)
	end := d.clock.Now()
	b.exchanged = end.Sub(now)
	if err != nil {
		d.linkFailed(end, err)
		return err
	}
	b.sent = want
	d.linkSucceeded(end)
	d.take(sensors, end)
	d.tellSelector()
	return nil
}

// target gives the wheel speeds that are in force at now.
func (d *Driver) target(now time.Time) wheelSteps {
	set := d.settings.Load()
	v, omega, expired := d.motion.get(now, set.timeout)
	if expired && d.expiries.allow(now) {
		d.log.Info("no cmd_vel any more: wheels stopped", "cmd_vel_timeout", set.timeout)
	}
	left, right := set.wheels.Steps(v, omega)
	return wheelSteps{mcu.Speed(left), mcu.Speed(right)}
}

// take makes the sensors of an exchange that ended at end the present reading.
func (d *Driver) take(sensors mcu.Sensors, end time.Time) {
	b := &d.bus
	set := d.settings.Load()
	if set.wheels != b.used.wheels {
		if err := b.odometer.SetGeometry(set.wheels.Radius, set.wheels.Distance); err != nil {
			d.log.Error("odometry goes on with the old geometry", "error", err) // the parameters' ranges are narrower
		}
	}
	b.used = set
	if b.rebase {
		b.odometer.Rebase()
		b.rebase = false
	}
	r := &b.reading
	var event odometry.Event
	r.pose, event = b.odometer.Update(sensors.LeftSteps, sensors.RightSteps, end.Sub(b.taken))
	if event.Rebased() {
		r.first = true
	}
	if event == odometry.EventRestart {
		d.log.Warn("the step counters jumped; the pose goes on from where it was")
	}
	b.taken = end
	r.sensors, r.set, r.stamp = sensors, set, d.stamp(end)
}
