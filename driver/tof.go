// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
)

// tofStale is the age at which a time-of-flight distance is no longer put into the scan.
const tofStale = 200 * time.Millisecond

// tofReading is the last measurement of the time-of-flight sensor.
type tofReading struct {
	stamp    builtin_interfaces.Time
	distance float64 // m; ±Inf as REP 117 has it
	at       time.Time
}

// tofPart is the VL53L0X as a part.
type tofPart struct {
	*vl53l0x.Dev
	sample vl53l0x.Reading
	into   *reading
}

func newToFPart(bus i2c.Bus, set *settings, r *reading) (parts.Part, error) {
	dev, err := vl53l0x.New(bus, vl53l0x.Addr, &vl53l0x.Opts{Opts: device.Opts{Budget: parts.PollTransactions}, Profile: set.tofProfile})
	if err != nil {
		return nil, err
	}
	return &tofPart{Dev: dev, into: r}, nil
}

func (p *tofPart) Measure(now time.Time) (news bool, err error) {
	if news, err = p.Poll(now); !news {
		return false, err
	}
	if senseErr := p.Sense(&p.sample); senseErr != nil {
		return false, senseErr
	}
	p.into.tof = tofReading{distance: epuck2.ToFDistance(p.sample.Distance), at: now}
	return true, err
}

// profileNames lists the profiles of the time-of-flight sensor, the default first.
func profileNames() []string {
	var names []string
	for _, p := range []vl53l0x.Profile{vl53l0x.LongRange, vl53l0x.Standard, vl53l0x.HighAccuracy, vl53l0x.HighSpeed} {
		names = append(names, p.String())
	}
	return names
}

// newToF returns the builder of the time-of-flight sensor's range in the given frame. For its form see newRange.
func newToF(frame string) func(m *jazzy.Range, r *reading) bool {
	return func(m *jazzy.Range, r *reading) bool {
		m.Header.Stamp, m.Header.FrameID = r.tof.stamp, frame
		m.RadiationType = jazzy.RangeInfrared
		m.FieldOfView = vl53l0x.FieldOfView
		m.MinRange, m.MaxRange = epuck2.MinToFRange, epuck2.MaxToFRange
		r.set.rangeClear.put(m, epuck2.ToFRange(r.tof.distance))
		return true
	}
}
