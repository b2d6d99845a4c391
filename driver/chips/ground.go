// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
)

// Ground is the part of the ground sensor board.
type Ground struct {
	*ground.Dev
	sample ground.Reading
	into   *table.Reading
}

// NewGround returns the part of the board on a bus, which measures into the reading.
func NewGround(bus i2c.Bus, r *table.Reading) (*Ground, error) {
	dev, err := ground.New(bus, ground.Addr, nil)
	if err != nil {
		return nil, err
	}
	return &Ground{Dev: dev, into: r}, nil
}

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
