// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/odometry"
)

// takeReading copies the latest reading of the wheels' loop. news reports whether there was one, cycle whether a
// control cycle has passed.
func (d *Driver) takeReading() (news, cycle bool) {
	b := &d.bus
	cycles := b.wheels.Cycles
	if !d.loop.Latest(&b.wheels) {
		return false, false
	}
	if !b.wheels.Taken.Equal(b.taken) { // correct also when the clock was set back
		d.useReading()
	}
	return true, b.wheels.Cycles != cycles
}

// useReading makes the latest reading of the wheels' loop the current reading.
func (d *Driver) useReading() {
	b, w := &d.bus, &d.bus.wheels
	set := d.settings.Load()
	if set.Wheels != b.used.Wheels {
		if err := b.odometer.SetGeometry(set.Wheels.Odometry()); err != nil {
			d.log.Error("odometry continues with the old geometry", "error", err) // the parameters' ranges are narrower
		}
	}
	b.used = set
	if w.Restarts != b.restarts {
		b.restarts = w.Restarts
		b.odometer.Rebase(w.Taken.Sub(b.taken) - mcu.StartTime) // the wheels were at rest while the robot started
	}
	r := &b.reading
	if w.Losses != b.losses {
		b.losses = w.Losses
		r.First = true
	}
	var event odometry.Event
	r.Pose, event = b.odometer.Update(w.Sensors.LeftSteps, w.Sensors.RightSteps, w.Taken.Sub(b.taken))
	if event.Rebased() {
		r.First = true
	}
	if event == odometry.EventRestart {
		d.log.Warn("the step counters jumped; the pose continues from where it was")
	}
	b.taken = w.Taken
	d.onReading(w.Taken)
	r.Sensors, r.Set, r.Stamp = w.Sensors, set, d.stamp(w.Taken)
}

// prepare completes the current reading before it is published.
func (d *Driver) prepare() {
	b := &d.bus
	r := &b.reading
	r.Period = 0
	if !b.published.IsZero() {
		r.Period = b.taken.Sub(b.published).Seconds()
	}
	b.published = b.taken
	age := b.taken.Sub(r.ToF.At)
	r.Ahead = age.Abs() <= table.ToFStale
}

// publishAll publishes a reading on outputs.
func (d *Driver) publishAll(outputs []table.Output, r *table.Reading) {
	for _, o := range outputs {
		if err := o.Publish(r); err != nil {
			d.refused.Add(1)
			if d.refusals.Allow(d.clock.Now()) {
				d.log.Warn("can't publish a message", "error", err)
			}
		}
	}
}

// ValidReading reports whether reply is a valid reading of the robot's main processor. It is for programs that keep
// recordings of its bus.
func ValidReading(reply []byte) bool {
	_, err := mcu.Decode(reply)
	return err == nil
}
