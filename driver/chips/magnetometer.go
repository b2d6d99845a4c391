// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
)

// addOnPause is the time between two searches at the four addresses of the add-on, which few boards have.
const addOnPause = 5 * time.Second

// Magnetometer is the part of the board's add-on magnetometer.
type Magnetometer struct {
	*bmm150.Dev
	sample bmm150.Reading
	host   Host
	into   *table.Reading
}

// NewMagnetometer returns the part of the add-on on a bus, which measures into the reading.
func NewMagnetometer(bus i2c.Bus, set *table.Settings, r *table.Reading, host Host) (*Magnetometer, error) {
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
	return &Magnetometer{Dev: dev, host: host, into: r}, nil
}

// Measure polls the magnetometer; a measurement has the chip's sampling time.
func (p *Magnetometer) Measure(now time.Time) (news bool, err error) {
	if news, err = p.Poll(now); !news {
		return false, err
	}
	if senseErr := p.Sense(&p.sample); senseErr != nil {
		return false, senseErr
	}
	p.into.Mag = table.MagReading{Stamp: p.host.Stamp(p.sample.At), Field: p.host.Corrections().Mag.Apply(p.sample.Field), Variance: p.Variance()}
	return true, err
}
