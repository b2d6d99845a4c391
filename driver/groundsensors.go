// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
)

// groundFieldOfView is the opening angle of a ground sensor in radians. No source has one; a spot as wide as the sensor
// is high above the floor is assumed.
const groundFieldOfView = 0.5

// groundReading is the last measurement of the ground sensors.
type groundReading struct {
	stamp  builtin_interfaces.Time
	height [3]float64 // m, left, centre, right; +Inf over black or nothing
	dark   bool       // nothing was measured, no floor and no light
}

// groundPart is the ground sensor board as a part.
type groundPart struct {
	*ground.Dev
	sample ground.Reading
	into   *reading
}

func newGroundPart(bus i2c.Bus, _ *settings, r *reading) (parts.Part, error) {
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
	p.into.ground.dark = p.sample.Dark()
	for i, counts := range p.sample.Reflected {
		p.into.ground.height[i] = ground.Model{}.Height(counts)
	}
	return true, nil
}

// newGround returns the builder of the range of ground sensor i in the given frame. For its form see newRange.
func newGround(i int, frame string) func(m *jazzy.Range, r *reading) bool {
	return func(m *jazzy.Range, r *reading) bool {
		m.Header.Stamp, m.Header.FrameID = r.ground.stamp, frame
		m.RadiationType = jazzy.RangeInfrared
		m.FieldOfView = groundFieldOfView
		m.MinRange, m.MaxRange = ground.MinRange, ground.MaxRange
		m.Range = float32(r.ground.height[i])
		return true
	}
}
