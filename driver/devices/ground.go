// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
)

// Ground is the part of the ground sensor board.
type Ground struct {
	hardware.Ground
	sample ground.Reading
	into   *table.Reading
}

// NewGround returns the part of a board, which measures into the reading.
func NewGround(dev hardware.Ground, r *table.Reading) *Ground { return &Ground{Ground: dev, into: r} }

// Measure polls the board.
func (p *Ground) Measure(now time.Time) (news bool, err error) {
	if news, err = p.Poll(now); !news {
		return false, err
	}
	if err := p.Sense(&p.sample); err != nil {
		return false, err
	}
	p.into.Ground.Dark = p.sample.Dark()
	for i, counts := range p.sample.Reflected {
		p.into.Ground.Height[i] = ground.Model{}.Height(counts)
	}
	return true, nil
}
