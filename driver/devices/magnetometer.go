// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
)

// Magnetometer is the part of the board's add-on magnetometer.
type Magnetometer struct {
	hardware.Magnetometer
	sample bmm150.Reading
	host   Host
	into   *table.Reading
}

// NewMagnetometer returns the part of the add-on, which measures into the reading.
func NewMagnetometer(dev hardware.Magnetometer, r *table.Reading, host Host) *Magnetometer {
	return &Magnetometer{Magnetometer: dev, host: host, into: r}
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
