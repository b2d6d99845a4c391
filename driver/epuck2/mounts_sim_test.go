// SPDX-License-Identifier: Apache-2.0

package epuck2

import (
	"fmt"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// The frames that are published and the places where the simulated robot measures are two readings of the same facts.
func TestMountsAreWhereTheSimulatedRobotMeasures(t *testing.T) {
	mounts := map[string]Mount{}
	for _, m := range Mounts() {
		mounts[m.Frame] = m
	}
	same := func(frame string, x, y, z, yaw, pitch float64) {
		t.Helper()
		m, ok := mounts[frame]
		if !ok {
			t.Errorf("no frame %s", frame)
			return
		}
		for what, d := range map[string]float64{
			"x": m.X - x, "y": m.Y - y, "z": m.Z - z, "roll": m.Roll,
			"yaw": math.Remainder(m.Yaw-yaw, 2*math.Pi), "pitch": m.Pitch - pitch,
		} {
			if math.Abs(d) > 1e-9 {
				t.Errorf("%s: %s is off by %g", frame, what, d)
			}
		}
	}
	for i, s := range physics.Sensors() {
		for _, kind := range []string{"ps", "ls"} {
			same(fmt.Sprintf("%s%d", kind, i), s.Position.X, s.Position.Y, physics.SensorHeight, s.Heading, 0)
		}
	}
	tof := physics.RangeFinder()
	same("tof", tof.Position.X, tof.Position.Y, physics.SensorHeight, tof.Heading, 0)
	for i, p := range physics.GroundSensors() {
		same(fmt.Sprintf("gs%d", i), p.X, p.Y, 0, 0, math.Pi/2) // they look down
	}
	same("imu_link", 0, 0, 0, 0, 0) // as the body is felt at its middle
}
