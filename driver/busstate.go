// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/odometry"
)

// busState is what the goroutine knows that publishes what the wheels' loop reads, and polls the parts on the robot's
// bus. Only the control loop touches it.
type busState struct {
	meter      *i2c.Meter // around the bus, as the parts have it
	wheels     wheels.Reading
	odometer   *odometry.Odometer
	used       *table.Settings // those the odometer has
	reading    table.Reading
	taken      time.Time  // when the last reading was taken
	published  time.Time  // when the last published one was
	restarts   uint64     // of the robot, that odometry knows of
	losses     uint64     // of the robot, that the reading knows of
	share      bool       // the reading is published in this turn
	publishing time.Time  // of this turn
	publish    func()     // publishBatch
	parts      busParts   // the optional chips on the bus
	imu        *chips.IMU // nil if none is looked for
}

// init prepares the state and the reading that announcements are made from.
func (b *busState) init(d *Driver) (err error) {
	set := d.settings.Load()
	b.used = set
	b.odometer, err = odometry.New(set.Wheels.Odometry())
	b.reading.First, b.reading.Set = true, set
	b.reading.Stamp = d.stamp(d.clock.Now())
	b.publish = d.publishBatch
	return err
}

// boardState is what the goroutine knows that polls the chips of the Pi-puck board and reads the battery's files.
// No other goroutine touches it.
type boardState struct {
	meter   *i2c.Meter // around the bus; nil without one
	parts   busParts
	reading table.Reading
	leds    *pipuck.Dev // set by subscriptions; nil without a bus
}

// bus gives the bus, nil if there is none.
func (b *boardState) bus() pi2c.Bus {
	if b.meter == nil {
		return nil
	}
	return b.meter
}

// stamp gives the stamp of something measured at t: t itself, or what /clock says now if the time is simulated, which
// is zero until /clock was heard.
//
// Only stamps follow /clock. The control loop and the time-outs keep to the machine's clock: a simulated clock that
// stands still must not keep the wheels turning.
func (d *Driver) stamp(t time.Time) builtin_interfaces.Time {
	if d.ros.Simulated() {
		t = d.ros.Now()
	}
	return builtin_interfaces.TimeOf(t)
}
