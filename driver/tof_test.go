// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// wallWorld has a robot half a metre from a wall, which it faces.
const wallWorld = `
walls:
  - {from: [0.5, -1], to: [0.5, 1]}
robots:
  - {name: epuck, position: [0, 0]}
`

// The distance to a wall is right within the sensor's error, in the topic and in the scan; the scan drops it when the
// sensor is gone.
func TestToFSeesAWall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{world: wallWorld, parts: true, sim: sim.Options{Seed: 5, Now: time.Now, Sleep: pass}})
		ranges, scans := listenTo[jazzy.Range](r, "tof"), listenTo[sensor_msgs.LaserScan](r, "scan")
		time.Sleep(5 * time.Second)
		// The Webots model: 0.5 m reads 0.532 m, with 0.7 % of noise.
		const want, off = 0.532 - 0.034, 0.05
		if m := last(r, ranges); math.Abs(float64(m.Range)-want) > off {
			t.Errorf("range %v m, want about %v", m.Range, want)
		}
		ahead := last(r, scans).Ranges[robot.ScanRays/2]
		if math.Abs(float64(ahead)-want-0.034) > off {
			t.Errorf("the scan's ray ahead is %v m", ahead)
		}
		r.must(r.robot.RemovePart(world.ToF))
		time.Sleep(time.Second)
		if ahead := last(r, scans).Ranges[robot.ScanRays/2]; !math.IsNaN(float64(ahead)) {
			t.Errorf("the scan still has %v m ahead", ahead)
		}
	})
}
