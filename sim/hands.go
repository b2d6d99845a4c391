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

// Rein is a co-simulator's hand on a robot's motors: it changes the way forward and leaves the turning to the robot.
// The zero value lets go.
type Rein struct {
	// Speed is the speed forward while Held is set, m/s.
	Speed float64
	Held  bool
	// Limit is the most speed forward or backward while Limited is set, m/s.
	Limit   float64
	Limited bool
}

// MaxSpeed is how fast a robot as drawn drives, m/s: at the most that the firmware tells its motors.
const MaxSpeed = vmcu.SpeedLimit * 2 * physics.HalfStep

// Level returns the robot's level, one of world.Levels.
func (u *unit) Level() string {
	return cmp.Or(u.made.Level, world.LevelFirmware)
}

// Cost returns what the robot's work costs its processor.
func (u *unit) Cost() world.Cost { return u.made.Cost }

// Hold takes the robot's motors by a rein, from now until the next call. Speeds are cut to what the motors can do, and
// rounded to their steps: 0.13 mm/s. A speed that is no number is ErrRange, and nothing changes.
func (u *unit) Hold(r Rein) error {
	if math.IsNaN(r.Speed) || math.IsInf(r.Speed, 0) || r.Limited && !(r.Limit >= 0) {
		return fmt.Errorf("%w: rein %+v", ErrRange, r)
	}
	steps := func(v float64) int {
		return int(math.Round(max(-vmcu.SpeedLimit, min(vmcu.SpeedLimit, v/(2*physics.HalfStep)))))
	}
	rein := vmcu.Rein{Held: r.Held, Limited: r.Limited}
	if r.Held {
		rein.Forward = steps(r.Speed)
	}
	if r.Limited {
		rein.Limit = steps(r.Limit)
	}
	u.act("rein", r, func() {
		if u.robot != nil {
			u.robot.mcu.SetRein(rein)
		} else {
			u.agent.rein = rein
		}
	})
	return nil
}

// Paint lets the LEDs show l and not what the robot wants, or with on false what it wants again.
func (u *unit) Paint(l vmcu.LEDs, on bool) {
	u.act("painted", l, func() { u.paint, u.painted = l, on })
}

// Place puts the robot down somewhere, picking it up first if need be. If
// something is there it returns ErrOccupied and the robot stays as it was.
func (u *unit) Place(pose Pose) error {
	if err := finite(pose); err != nil {
		return err
	}
	var err error
	u.act("placed", pose, func() {
		s := u.sim
		if !s.scene.Free(pose.Position(), u.crowded(pose.Position())) {
			err = fmt.Errorf("robot %q to (%g, %g) m: %w", u.name, pose.X, pose.Y, ErrOccupied)
			return
		}
		s.settle()
		u.body.Place(pose)
		if r := u.robot; r != nil {
			r.motion, r.attitude = physics.Motion{}, physics.Attitude{}
		}
		u.inAir = false
		s.scattered.Store(true)
		u.dock()
	})
	return err
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
