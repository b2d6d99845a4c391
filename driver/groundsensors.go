// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
)

// groundPart is the ground sensor board as a part.
type groundPart struct {
	*ground.Dev
	sample ground.Reading
	into   *table.Reading
}

func newGroundPart(bus i2c.Bus, _ *table.Settings, r *table.Reading) (parts.Part, error) {
	dev, err := ground.New(bus, ground.Addr, nil)
	if err != nil {
		return nil, err
	}
	return &groundPart{Dev: dev, into: r}, nil
}

func (p *groundPart) Measure(now time.Time) (news bool, err error) {
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
