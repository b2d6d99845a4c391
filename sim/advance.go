// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

const (
	// stepPeriod is the length of a physics step.
	stepPeriod = time.Millisecond
	// stepsPerCycle is the number of physics steps of an infrared cycle.
	stepsPerCycle = int64(vmcu.SamplePeriod / stepPeriod)
)

// catchUp lets the world reach the time of the clock. The caller holds mu.
func (s *Simulation) catchUp() {
	s.reach()
	if s.behind {
		s.behind = false
		for _, r := range s.robots {
			r.mcu.Advance(s.time)
		}
	}
}

// reach lets all bodies reach the time of the clock; the motors of a robot may lag by less than a step, until its own
// processor is told (catchUp tells all). The caller holds mu.
func (s *Simulation) reach() {
	t := s.opts.Now().Sub(s.epoch) - s.skipped
	if t <= s.time { // the clock stands still or was put back
		return
	}
	if excess := t - s.time - s.opts.MaxCatchUp; s.opts.MaxCatchUp > 0 && excess > 0 {
		for s.waking() && s.steps < int64(t/stepPeriod) { // it may begin a motion, or not
			s.step(s.steps + 1)
			s.time = time.Duration(s.steps) * stepPeriod
		}
		if !s.idle() {
			s.skipped += excess
			t -= excess
		}
	}
	s.reaching = true
	defer func() {
		s.reaching = false
		s.crew.dismiss()
	}()
	for target := int64(t / stepPeriod); s.steps < target; {
		switch end := s.steps - s.steps%stepsPerCycle + stepsPerCycle; {
		case s.idle() && s.settled():
			s.jump(target)
		default:
			s.step(min(end, target))
		}
	}
	s.time, s.behind = t, true
}

// waking reports whether a firmware is about to obey.
func (s *Simulation) waking() bool {
	for _, r := range s.robots {
		if r.mcu.Waking() {
			return true
		}
	}
	return false
}

// idle reports whether nothing moves and no firmware waits for anything.
func (s *Simulation) idle() bool {
	if s.controlled > 0 || s.listening.Load() > 0 || s.strolling() {
		return false
	}
	for _, r := range s.robots {
		if !r.mcu.Idle() || r.rolled() || !r.rab.silent() {
			return false
		}
	}
	for _, a := range s.agents {
		if !a.still() || !a.rab.silent() {
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
	for _, a := range s.agents {
		a.battery.Advance(target-s.steps, 0, 0)
	}
	s.steps = target
	if cycle := target / stepsPerCycle; cycle != s.cycle {
		s.sample(cycle)
	}
}

// step makes all steps up to one in the same infrared cycle, or its end: first everything moves, each island of bodies
// by itself, then all sense and decide.
func (s *Simulation) step(to int64) {
	s.muster()
	if len(s.agents) > 0 && to%stepsPerCycle == 0 || len(s.robots) > 0 {
		s.jobs.until = to
		s.each(len(s.islands.list), s.jobs.move)
	}
	s.steps = to
	if to%stepsPerCycle == 0 {
		s.walk()
		s.sample(to / stepsPerCycle)
		s.think()
	}
}

// moveIsland lets the bodies of an island make the steps after from up to to: in each all motors, then all bodies, in
// the order of the world file. Functional robots move once in an infrared cycle, at its end.
func (s *Simulation) moveIsland(members []int32, from, to int64) {
	if len(members) > 1 || s.units[members[0]].robot != nil {
		for n := from + 1; n <= to; n++ {
			s.stepRobots(members, time.Duration(n)*stepPeriod)
		}
	}
	if to%stepsPerCycle != 0 {
		return
	}
	for _, m := range members {
		u := s.units[m]
		if u.agent != nil {
			u.agent.move()
		}
		u.strayed()
	}
}

// stepRobots makes one step of the robots of the firmware level among the members of an island.
func (s *Simulation) stepRobots(members []int32, end time.Duration) {
	for _, m := range members {
		if r := s.units[m].robot; r != nil {
			r.mcu.Advance(end)
		}
	}
	for _, m := range members {
		if r := s.units[m].robot; r != nil {
			r.roll()
		}
	}
	for _, m := range members {
		if r := s.units[m].robot; r != nil {
			r.feel()
		}
	}
}

// sample notes where everything is at the end of an infrared cycle. What the
// sensors see there is computed when it is asked for.
func (s *Simulation) sample(cycle int64) {
	s.muster()
	s.cycle = cycle
	s.each(len(s.units), s.jobs.sample)
	s.each(len(s.robots), s.jobs.tell)
}

// settle computes what all sensors saw in the latest cycle, before the world
// is changed under them.
func (s *Simulation) settle() {
	s.each(len(s.robots), s.jobs.look)
}
