// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
)

// addOnPause lies between two looks at the four addresses of an add-on that few boards have.
const addOnPause = 5 * time.Second

// magRates are the rates at which the BMM150 can measure, Hz.
var magRates = [...]int{2, 6, 8, 10, 15, 20, 25, 30}

// magPart is the add-on magnetometer of the board as a part.
type magPart struct {
	*bmm150.Dev
	sample bmm150.Reading
	used   func() *corrections
	into   *reading
}

func (d *Driver) newMagPart(bus i2c.Bus, set *settings, r *reading) (parts.Part, error) {
	rotation, err := axes.RotationOf(set.magRotation[:])
	if err != nil {
		return nil, err
	}
	opts := bmm150.Opts{Rotation: rotation, Rate: magRate(set.magRate)}
	opts.Budget, opts.RetryInterval = parts.PollTransactions, addOnPause
	dev, err := bmm150.New(bus, 0, &opts)
	if err != nil {
		return nil, err
	}
	return &magPart{Dev: dev, used: d.corrections, into: r}, nil
}

// magRate gives the least rate of the chip that is enough.
func magRate(wanted float64) int {
	for _, rate := range magRates {
		if float64(rate) >= math.Floor(wanted) {
			return rate
		}
	}
	return magRates[len(magRates)-1]
}

func (p *magPart) Measure(now time.Time) (news bool, err error) {
	if news, err = p.Poll(now); !news {
		return false, err
	}
	if senseErr := p.Sense(&p.sample); senseErr != nil {
		return false, senseErr
	}
	p.into.mag = magReading{field: p.used().mag.apply(p.sample.Field), variance: p.Variance()}
	return true, err
}
