// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"cmp"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/world"
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

// MaxSpeed is how fast a robot as drawn drives, m/s: the largest speed that the firmware commands.
const MaxSpeed = vmcu.SpeedLimit * 2 * physics.HalfStep

// Level implements Robot.
func (u *unit) Level() string {
	return cmp.Or(u.made.Level, world.LevelFirmware)
}

// OverrideMotors implements Robot. Speeds are cut to what the motors can do; those of an e-puck2 are rounded to the
// motors' steps: 0.13 mm/s. A speed that is no number is ErrRange, and nothing changes.
func (u *unit) OverrideMotors(o MotorOverride) error {
	if math.IsNaN(o.Speed+o.Turn) || math.IsInf(o.Speed, 0) || math.IsInf(o.Turn, 0) || o.Limited && !(o.Limit >= 0) {
		return fmt.Errorf("%w: motor override %+v", ErrRange, o)
	}
	steps := func(v float64) int {
		return int(math.Round(max(-vmcu.SpeedLimit, min(vmcu.SpeedLimit, v/(2*physics.HalfStep)))))
	}
	motors := vmcu.MotorOverride{Held: o.Held, Limited: o.Limited}
	if o.Held {
		motors.Forward = steps(o.Speed)
	}
	if o.Limited {
		motors.Limit = steps(o.Limit)
	}
	if o.Turning {
		motors.Turning, motors.Half = true, steps(float64(o.Turn*u.made.WheelDistance/2))
	}
	u.act("motor override", o, func() {
		switch {
		case u.robot != nil:
			u.robot.mcu.OverrideMotors(motors)
		case u.agent != nil:
			u.agent.override = motors
		default:
			u.machine.resting = false
			u.machine.mechanism.OverrideMotors(o)
		}
	})
	return nil
}

// OverrideLEDs implements Robot.
func (u *unit) OverrideLEDs(l vmcu.LEDs, on bool) {
	u.act("LED override", l, func() { u.paint, u.painted = l, on })
}

// Place implements Robot.
func (u *unit) Place(pose Pose) error {
	if err := finite(pose); err != nil {
		return err
	}
	var err error
	u.act("placed", pose, func() {
		s := u.sim
		s.settle()
		if u.machine != nil {
			err = u.machine.put(pose)
		} else {
			err = u.put(pose)
		}
		if err != nil {
			return
		}
		u.inAir = false
		s.scattered.Store(true)
		u.dock()
	})
	return err
}

// put places an e-puck2 on the floor, if it fits there.
func (u *unit) put(pose Pose) error {
	if !u.sim.scene.Free(pose.Position(), u.crowded(pose.Position())) {
		return fmt.Errorf("robot %q to (%g, %g) m: %w", u.name, pose.X, pose.Y, u.sim.placementError(pose.Position(), u.radius))
	}
	u.body.Place(pose)
	if r := u.robot; r != nil {
		r.motion, r.attitude = physics.Motion{}, physics.Attitude{}
	}
	return nil
}

// act lets the world catch up, runs f and logs what was done.
func (u *unit) act(what string, value any, f func()) {
	s := u.sim
	s.mu.Lock()
	s.catchUp()
	f()
	s.mu.Unlock()
	if s.opts.Logger != nil {
		s.opts.Logger.Debug("robot "+what, "robot", u.name, "value", value)
	}
}
