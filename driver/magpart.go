// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
)

// addOnPause lies between two looks at the four addresses of an add-on that few boards have.
const addOnPause = 5 * time.Second

// magPart is the add-on magnetometer of the board as a part.
type magPart struct {
	*bmm150.Dev
	sample bmm150.Reading
	used   func() *table.Corrections
	stamp  func(time.Time) builtin_interfaces.Time
	into   *table.Reading
}

func (d *Driver) newMagPart(bus i2c.Bus, set *table.Settings, r *table.Reading) (parts.Part, error) {
	rotation, err := axes.RotationOf(set.MagRotation[:])
	if err != nil {
		return nil, err
	}
	opts := bmm150.Opts{Rotation: rotation, Rate: max(set.MagRate, 0.1)}
	opts.Budget, opts.RetryInterval = parts.PollTransactions, addOnPause
	dev, err := bmm150.New(bus, 0, &opts)
	if err != nil {
		return nil, err
	}
	return &magPart{Dev: dev, used: d.corrections, stamp: d.stamp, into: r}, nil
}

func (p *magPart) Measure(now time.Time) (news bool, err error) {
	if news, err = p.Poll(now); !news {
		return false, err
	}
	if senseErr := p.Sense(&p.sample); senseErr != nil {
		return false, senseErr
	}
	p.into.Mag = table.MagReading{Stamp: p.stamp(p.sample.At), Field: p.used().Mag.Apply(p.sample.Field), Variance: p.Variance()}
	return true, err
}
