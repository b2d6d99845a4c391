// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
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
		r := &reading{set: &settings{}, tof: tofReading{distance: distance}}
		if !newToF("tof")(&m, r) || m.Range != float32(want) || m.MinRange != epuck2.MinToFRange || m.MaxRange != epuck2.MaxToFRange || m.Header.FrameID != "tof" {
			t.Errorf("%v m gives %+v", distance, m)
		}
	}
}

// room is a robot that looks at a wall half a metre from its centre.
const room = `
walls:
  - {from: [0.5, -1], to: [0.5, 1]}
robots:
  - {name: epuck, position: [0, 0]}
`

// The distance to a wall is right within the sensor's error, in the topic and in the scan; the scan forgets it when the
// sensor is gone.
func TestToFSeesAWall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: room, parts: true, sim: sim.Options{Seed: 5, Now: time.Now, Sleep: pass}})
		ranges, scans := listenTo[jazzy.Range](r, "tof"), listenTo[sensor_msgs.LaserScan](r, "scan")
		time.Sleep(5 * time.Second)
		// The Webots model: 0.5 m reads 0.532 m, with 0.7 % of noise.
		const want, off = 0.532 - 0.034, 0.05
		if m := last(r, ranges); math.Abs(float64(m.Range)-want) > off {
			t.Errorf("range %v m, want about %v", m.Range, want)
		}
		ahead := last(r, scans).Ranges[epuck2.ScanRays/2]
		if math.Abs(float64(ahead)-want-0.034) > off {
			t.Errorf("the scan's ray ahead is %v m", ahead)
		}
		r.must(r.robot.Remove(world.ToF))
		time.Sleep(time.Second)
		if ahead := last(r, scans).Ranges[epuck2.ScanRays/2]; !math.IsNaN(float64(ahead)) {
			t.Errorf("the scan still has %v m ahead", ahead)
		}
	})
}
