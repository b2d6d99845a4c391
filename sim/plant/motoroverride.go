// SPDX-License-Identifier: Apache-2.0

package plant

import (
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/scene"
)

// MotorOverride changes the speed forward that a robot's motors are commanded, and leaves the turning to the robot
// unless it sets that, too; a co-simulator sets it. The zero value changes nothing.
type MotorOverride struct {
	// Speed is the speed forward while Held is set, m/s.
	Speed float64
	Held  bool
	// Limit is the most speed forward or backward while Limited is set, m/s.
	Limit   float64
	Limited bool
	// Turn is the turn rate while Turning is set, rad/s.
	Turn    float64
	Turning bool
}

// OverrideMotors changes the speed forward that the robot's motors are commanded, until the next call. Speeds are cut to what the motors can do; those of an e-puck2 are rounded to the
// motors' steps: 0.13 mm/s. A speed that is no number is ErrRange, and nothing changes.
func (r Robot) OverrideMotors(o MotorOverride) error {
	if math.IsNaN(o.Speed+o.Turn) || math.IsInf(o.Speed, 0) || math.IsInf(o.Turn, 0) || o.Limited && !(o.Limit >= 0) {
		return fmt.Errorf("%w: motor override %+v", scene.ErrRange, o)
	}
	r.unit.Act("motor override", o, func() { r.unit.plant.OverrideMotors(o) })
	return nil
}
