// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/vmcu"
)

const (
	// stepPeriod is the length of a physics step.
	stepPeriod = time.Millisecond
	// stepsPerCycle is the number of physics steps of an infrared cycle.
	stepsPerCycle = int64(vmcu.SamplePeriod / stepPeriod)
)

// catchUp lets the world reach the time of the clock. The caller holds mu.
func (s *Simulation) catchUp() {
	t := s.opts.Now().Sub(s.epoch) - s.skipped
	if t <= s.time { // the clock stands still or was put back
		return
	}
	if excess := t - s.time - s.opts.MaxCatchUp; s.opts.MaxCatchUp > 0 && excess > 0 && !s.idle() {
		s.skipped += excess
		t -= excess
	}
	for target := int64(t / stepPeriod); s.steps < target; {
		if s.idle() && s.settled() {
			s.jump(target)
		} else {
			s.step()
		}
	}
	for _, r := range s.robots {
		r.mcu.Advance(t)
	}
	s.time = t
}

// idle reports whether nothing moves and no firmware waits for anything.
func (s *Simulation) idle() bool {
	for _, r := range s.robots {
		if !r.mcu.Idle() || r.rolled() {
			return false
		}
	}
	return true
}

// settled reports whether all bodies have come to rest after the motors.
func (s *Simulation) settled() bool {
	for _, r := range s.robots {
		if !r.motion.Settled() {
			return false
		}
	}
	return true
}

// jump makes all steps up to target at once; only right while idle and settled.
func (s *Simulation) jump(target int64) {
	for _, r := range s.robots {
		r.mcu.Advance(time.Duration(target) * stepPeriod)
		r.battery.Advance(target-s.steps, 0, 0)
	}
	s.steps = target
	if cycle := target / stepsPerCycle; cycle != s.cycle {
		s.sample(cycle)
	}
}

// step makes one physics step: first all motors, then all bodies, in the order
// of the world file.
func (s *Simulation) step() {
	s.steps++
	end := time.Duration(s.steps) * stepPeriod
	for _, r := range s.robots {
		r.mcu.Advance(end)
	}
	for _, r := range s.robots {
		r.roll()
	}
	for _, r := range s.robots {
		r.feel()
	}
	if s.steps%stepsPerCycle == 0 {
		s.sample(s.steps / stepsPerCycle)
	}
}

// sample notes where everything is at the end of an infrared cycle. What the
// sensors see there is computed when somebody asks.
func (s *Simulation) sample(cycle int64) {
	s.cycle = cycle
	for _, r := range s.robots {
		r.sampled, r.sampledInAir, r.seen = r.body.Pose(), r.inAir, false
	}
	for _, r := range s.robots {
		r.mcu.Sample(cycle)
	}
}

// settle computes what all sensors saw in the latest cycle, before the world
// is changed under them.
func (s *Simulation) settle() {
	for _, r := range s.robots {
		r.look()
	}
}

// othersNow returns the middles of the robots that r can bump into.
func (s *Simulation) othersNow(r *Robot) []geom.Vec {
	r.others = r.others[:0]
	for _, o := range s.robots {
		if o != r && !o.inAir {
			r.others = append(r.others, o.body.Position())
		}
	}
	return r.others
}

// othersSampled returns the middles of the other robots in the latest cycle.
func (s *Simulation) othersSampled(r *Robot) []geom.Vec {
	r.others = r.others[:0]
	for _, o := range s.robots {
		if o != r && !o.sampledInAir {
			r.others = append(r.others, o.sampled.Position())
		}
	}
	return r.others
}
