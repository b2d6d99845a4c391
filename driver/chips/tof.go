// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
)

// ToF is the part of the VL53L0X.
type ToF struct {
	*vl53l0x.Dev
	sample vl53l0x.Reading
	into   *table.Reading
}

// NewToF returns the part of the sensor on a bus, which measures into the reading.
func NewToF(bus i2c.Bus, set *table.Settings, r *table.Reading) (*ToF, error) {
	dev, err := vl53l0x.New(bus, vl53l0x.Addr, &vl53l0x.Opts{Opts: device.Opts{Budget: parts.PollTransactions}, Profile: set.ToFProfile})
	if err != nil {
		return nil, err
	}
	return &ToF{Dev: dev, into: r}, nil
}

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
