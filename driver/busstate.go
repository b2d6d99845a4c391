// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/devices"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/odometry"
)

// busState is the state of the goroutine that publishes the readings of the wheels' loop and polls the parts on the
// robot's bus. No other goroutine accesses it.
type busState struct {
	wheels     wheels.Reading
	odometer   *odometry.Odometer
	used       *table.Settings // the settings that the odometer uses
	reading    table.Reading
	taken      time.Time    // time of the last reading
	published  time.Time    // time of the last published reading
	restarts   uint64       // restarts of the robot that the odometry has handled
	losses     uint64       // losses of the robot that the reading includes
	share      bool         // whether this turn publishes the reading
	publishing time.Time    // start of this turn
	publish    func()       // publishBatch
	parts      busParts     // the optional parts on the bus
	imu        *devices.IMU // nil if no IMU is configured
	demand     uint32       // Driver.demand as the schedules of the parts know it
	atRest     bool         // atRest as of the last turn
	// The slots of the time-of-flight sensor, the IMU and its magnetometer; nil without them.
	tof, inertial, field *parts.Slot
}

// init prepares the state and the reading that announcements are built from.
func (b *busState) init(d *Driver) (err error) {
	set := d.settings.Load()
	b.used = set
	b.odometer, err = odometry.New(set.Wheels.Odometry())
	b.reading.First, b.reading.Set = true, set
	b.reading.Stamp = d.stamp(d.clock.Now())
	b.publish = d.publishBatch
	return err
}

// boardState is the state of the goroutine that polls the chips of the Pi-puck board and reads the battery's files. No
// other goroutine accesses it.
type boardState struct {
	parts   busParts
	reading table.Reading
}

// stamp returns the stamp of a measurement at t: t itself or, with use_sim_time, the time of /clock, which is zero
// until the first message.
//
// Only stamps follow /clock. The control loop and the time-outs use the machine's clock: a simulated clock that stops
// must not keep the wheels turning.
func (d *Driver) stamp(t time.Time) builtin_interfaces.Time {
	if d.ros.Simulated() {
		t = d.ros.Now()
	}
	return builtin_interfaces.TimeOf(t)
}
