// SPDX-License-Identifier: Apache-2.0

package machine_test

import (
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
)

// A root's direction is turned on by little angles: after minutes on a circle, and on one so small that the angles are
// no longer little, its solids still look where the pose says.
func TestLittleTurns(t *testing.T) {
	for _, speeds := range [][2]float64{{10, 11}, {-3, 3}, {24, -24}} {
		r := modelled(t, arena(robotAt("r", "cart", 0, 0, 0.7)), cart(""))
		r.drive(0, speeds[0], speeds[1])
		for range 6 {
			r.pass(7 * time.Second)
			r.do(0, func(m *machine.Machine) {
				solids := m.Outline(nil)
				if off := math.Abs(geom.WrapAngle(solids[0].Yaw() - m.Pose().Theta)); off > 1e-12 {
					t.Errorf("speeds %v, %v: the body looks %g rad away from the pose", speeds, m.Time(), off)
				}
			})
		}
		if v := r.pose(0); v == (sim.Pose{Theta: 0.7}) {
			t.Error("it has not moved")
		}
	}
}
