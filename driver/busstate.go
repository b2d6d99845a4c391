// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/odometry"
)

// wheelSteps are the speeds of both wheels in motor steps per second.
type wheelSteps struct{ left, right mcu.Speed }

// busState is what the goroutine that owns the bus knows. Nobody else touches it.
type busState struct {
	meter     *i2c.Meter // around the bus
	odometer  *odometry.Odometer
	used      *settings // those the odometer has
	reading   reading
	link      link
	ticks     schedule
	sent      wheelSteps // the speeds of the last exchange that succeeded
	lastExtra time.Time
	taken     time.Time     // when the last reading was taken
	published time.Time     // when the last published one was
	rebase    bool          // the step counters begin anew with the next reading
	turned    bool          // the selector was turned
	ailment   mcu.Diagnosis // why the robot is lost
	moved     bool          // a motion was sent to the robot, whether it arrived or not
	overruns  uint64
	exchanged time.Duration // what the last exchange took
	busy      time.Duration // what the last control cycle took, exchange included
	longest   time.Duration // the longest of these
	publish   func()        // publishes the reading on every output
	parts     roster        // the optional chips on the bus

	imu        *imuPart     // nil if none is looked for
	calibrated chan<- error // who waits for the end of an infrared calibration; holds one
}

// init prepares the state and the reading that announcements are made from.
func (b *busState) init(d *Driver) (err error) {
	set := d.settings.Load()
	b.used = set
	b.odometer, err = odometry.New(odometry.Config{WheelRadius: set.wheels.Radius, WheelDistance: set.wheels.Distance})
	b.reading.first, b.reading.set = true, set
	b.reading.stamp = d.stamp(d.clock.Now())
	b.publish = func() { d.publishAll(d.outputs, &b.reading) }
	return err
}
