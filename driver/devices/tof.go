// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
)

// ToF is the part of the time-of-flight sensor.
type ToF struct {
	hardware.ToF
	sample vl53l0x.Reading
	into   *table.Reading
}

// NewToF returns the part of a sensor, which measures into the reading.
func NewToF(dev hardware.ToF, r *table.Reading) *ToF { return &ToF{ToF: dev, into: r} }

// Measure polls the sensor.
func (p *ToF) Measure(now time.Time) (news bool, err error) {
	if news, err = p.Poll(now); !news {
		return false, err
	}
	if senseErr := p.Sense(&p.sample); senseErr != nil {
		return false, senseErr
	}
	p.into.ToF = table.ToFReading{Distance: epuck2.ToFDistance(p.sample.Distance), At: now}
	return true, err
}
