// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/robot"
)

// Nav2's RangeSensorLayer clears a cone when range == max_range, both float32; everything else it marks or ignores.
func TestRangeClear(t *testing.T) {
	inf := math.Inf(1)
	curve := epuck2.DefaultInfraredCurve()
	measured := curve.Range(235)
	for _, c := range []struct {
		clear     RangeClear
		distance  float64 // of the time-of-flight sensor, m
		counts    uint16  // of the infrared sensor
		tof, near float64
	}{
		{clearInf, inf, 0, inf, inf},
		{clearMax, inf, 0, robot.MaxToFRange, robot.MaxInfraredRange},
		{clearInf, -inf, 4095, -inf, -inf},
		{clearMax, -inf, 4095, -inf, -inf},
		{clearInf, 0.5, 235, 0.5, measured},
		{clearMax, 0.5, 235, 0.5, measured},
	} {
		r := &Reading{Set: &Settings{RangeClear: c.clear, Correct: *uncorrected()}, ToF: ToFReading{Distance: c.distance}}
		r.Sensors.Proximity[3], r.Sensors.Ambient = c.counts, [8]uint16{3: 4000}
		var ahead, near jazzy.Range
		if !newToF("tof")(&ahead, r) || ahead.Range != float32(c.tof) {
			t.Errorf("%s: tof at %v m gives %v, want %v", c.clear, c.distance, ahead.Range, c.tof)
		}
		if !newRange(3, "ps3")(&near, r) || near.Range != float32(c.near) {
			t.Errorf("%s: ps3 at %d counts gives %v, want %v", c.clear, c.counts, near.Range, c.near)
		}
		if clears := c.clear == clearMax && c.counts == 0; (ahead.Range == ahead.MaxRange) != clears || (near.Range == near.MaxRange) != clears {
			t.Errorf("%s: %v and %v clear a cone: want %v", c.clear, ahead.Range, near.Range, clears)
		}
	}
}
