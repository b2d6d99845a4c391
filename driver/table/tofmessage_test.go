// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
)

func TestToFRange(t *testing.T) {
	for distance, want := range map[float64]float64{
		0.3: 0.3, epuck2.MinToFRange: epuck2.MinToFRange, epuck2.MaxToFRange: epuck2.MaxToFRange, 1.01: math.Inf(1), 0.004: math.Inf(-1),
		math.Inf(1): math.Inf(1), math.Inf(-1): math.Inf(-1),
	} {
		if got := epuck2.ToFRange(distance); got != want {
			t.Errorf("%v m is published as %v, want %v", distance, got, want)
		}
		var m jazzy.Range
		r := &Reading{Set: &Settings{}, ToF: ToFReading{Distance: distance}}
		if !newToF("tof")(&m, r) || m.Range != float32(want) || m.MinRange != epuck2.MinToFRange || m.MaxRange != epuck2.MaxToFRange || m.Header.FrameID != "tof" {
			t.Errorf("%v m gives %+v", distance, m)
		}
	}
}
