// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
)

func TestGroundSensorsBecomeRanges(t *testing.T) {
	build := newGround(1, "r1/gs1")
	for _, height := range []float64{0, 0.004, math.Inf(1)} {
		var m jazzy.Range
		r := &Reading{}
		r.Ground.Height[1] = height
		r.Ground.Stamp.Sec = 7
		if !build(&m, r) || m.Range != float32(height) || m.Header.FrameID != "r1/gs1" || m.Header.Stamp.Sec != 7 ||
			m.MinRange != 0 || m.MaxRange != 0.016 || m.RadiationType != jazzy.RangeInfrared || m.FieldOfView <= 0 {
			t.Errorf("%v gives %+v", height, m)
		}
	}
}
