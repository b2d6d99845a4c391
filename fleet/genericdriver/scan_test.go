// SPDX-License-Identifier: Apache-2.0

package genericdriver_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// A scan of distance sensors says that a ray is free only where its sensor sees as far as the scan goes: who sees
// less far and sees nothing has not measured the rest, and a mapper would take walls away there.
func TestScanClaimsNothing(t *testing.T) {
	for model, want := range map[string]int{"epuck2": 1, "khepera4": 5} { // time of flight; ultrasonic
		r := newRig(t, options{model: model, world: "name: open\n"})
		scan := hear[sensor_msgs.LaserScan](r, "scan")
		r.run(500 * time.Millisecond)
		free := 0
		for _, v := range scan.m.Ranges {
			switch {
			case math.IsInf(float64(v), 1):
				free++
			case !math.IsNaN(float64(v)):
				t.Errorf("%s: %g m to nothing", model, v)
			}
		}
		if free != want || len(scan.m.Ranges) != 24 {
			t.Errorf("%s: %d free rays of %d, not %d", model, free, len(scan.m.Ranges), want)
		}
	}
}

// What is too near for an ultrasonic sensor is measured by the infrared one next to it, and vice versa.
func TestScanOfTwoKinds(t *testing.T) {
	for away, least := range map[float64]float64{0.17: 0.15, 0.5: 0.45} { // of the box's face from the robot's middle
		world := "boxes: [{position: [" + fmt.Sprint(away+0.05) + ", 0], size: [0.1, 2], height: 0.3}]\n"
		r := newRig(t, options{model: "khepera4", world: world})
		scan := hear[sensor_msgs.LaserScan](r, "scan")
		r.run(500 * time.Millisecond)
		ahead := float64(scan.m.Ranges[12])
		if !(ahead > least && ahead < away+0.03) {
			t.Errorf("%g m away: %g m", away, ahead)
		}
	}
}
