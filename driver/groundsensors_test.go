// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/sim"
)

func TestGroundSensorsBecomeRanges(t *testing.T) {
	build := newGround(1, "r1/gs1")
	for _, height := range []float64{0, 0.004, math.Inf(1)} {
		var m jazzy.Range
		r := &reading{}
		r.ground.height[1] = height
		r.heard.Sec = 7
		if !build(&m, r) || m.Range != float32(height) || m.Header.FrameID != "r1/gs1" || m.Header.Stamp.Sec != 7 ||
			m.MinRange != 0 || m.MaxRange != 0.016 || m.RadiationType != jazzy.RangeInfrared || m.FieldOfView <= 0 {
			t.Errorf("%v gives %+v", height, m)
		}
	}
}

// A robot that crosses a line sees it, and sees the floor before and after.
func TestALineIsSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: "line", parts: true, sim: sim.Options{Now: time.Now, Sleep: pass}})
		var seen [3]func() []*jazzy.Range
		for i, topic := range []string{"gs0", "gs1", "gs2"} {
			seen[i] = listenTo[jazzy.Range](r, topic)
		}
		r.drive(0.05, 0.6, 20*time.Second)
		for i := range seen {
			floor, line := 0, 0
			for _, m := range seen[i]() {
				if math.IsInf(float64(m.Range), 1) {
					line++
				} else if m.Range >= 0 && m.Range <= m.MaxRange {
					floor++
				} else {
					t.Errorf("gs%d: %v m", i, m.Range)
				}
			}
			if floor+line < 350 || line == 0 || floor == 0 {
				t.Errorf("gs%d saw floor %d times, the line %d times", i, floor, line)
			}
		}
	})
}
