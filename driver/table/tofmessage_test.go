// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/robot"
)

func TestToFRange(t *testing.T) {
	for distance, want := range map[float64]float64{
		0.3: 0.3, robot.MinToFRange: robot.MinToFRange, robot.MaxToFRange: robot.MaxToFRange, 1.01: math.Inf(1), 0.004: math.Inf(-1),
		math.Inf(1): math.Inf(1), math.Inf(-1): math.Inf(-1),
	} {
		if got := epuck2.ToFRange(distance); got != want {
			t.Errorf("%v m is published as %v, want %v", distance, got, want)
		}
		var m jazzy.Range
		r := &Reading{Set: &Settings{}, ToF: ToFReading{Distance: distance}}
		if !newToF("tof")(&m, r) || m.Range != float32(want) || m.MinRange != robot.MinToFRange || m.MaxRange != robot.MaxToFRange || m.Header.FrameID != "tof" {
			t.Errorf("%v m gives %+v", distance, m)
		}
	}
}
