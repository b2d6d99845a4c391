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

// A robot that crosses a line detects it, and the floor before and after.
func TestGroundSensorsDetectALine(t *testing.T) {
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
