// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/driver/wheels"
)

// host is what the chips ask of the driver.
func (d *Driver) host() chips.Host {
	return chips.Host{Now: d.clock.Now, Stamp: d.stamp, Corrections: d.corrections, Standing: d.standing, Log: d.log}
}

// corrections gives those in force.
func (d *Driver) corrections() *table.Corrections { return &d.settings.Load().Correct }

// standing reports whether the wheels are known to stand. Counters that stay as they are prove that only of wheels that
// listen: those of a robot that has just started could begin to turn. It belongs to the bus goroutine.
func (d *Driver) standing() bool {
	b := &d.bus
	return !b.wheels.Lost && !b.taken.IsZero() && b.wheels.WheelsListen && b.wheels.Sent == wheels.Speeds{} && b.reading.Pose.V == 0 && b.reading.Pose.Omega == 0
}
