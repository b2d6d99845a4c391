// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

const (
	// stepPeriod is the length of a physics step.
	stepPeriod = time.Millisecond
	// stepsPerCycle is the number of physics steps of an infrared cycle.
	stepsPerCycle = int64(vmcu.SamplePeriod / stepPeriod)
	// maxStep is how many infrared cycles are made at once at the most.
	maxStep = 10
)

// catchUp advances the world to the time of the clock. The caller holds mu.
func (s *Simulation) catchUp() {
	s.reach()
	if s.behind {
		s.behind = false
		for _, p := range s.stepped {
			p.stepMotors(s.time)
		}
	}
}

// reach advances all bodies to the time of the clock; the motors of a robot may lag by less than a step, until its own
// processor is informed (catchUp informs all). The caller holds mu.
func (s *Simulation) reach() {
	t := s.opts.Now().Sub(s.epoch) - s.skipped
	if t <= s.time { // the clock has not advanced, or was put back
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
	for target := int64(t / stepPeriod); s.steps < target; {
		if s.idle() && s.settled() {
			if last := untilFed(s, target); last > s.steps {
				s.jump(last)
				continue
			}
		}
		s.step(s.nextStep(target))
	}
	s.time, s.behind = t, true
}

// waking reports whether a firmware is about to obey.
func (s *Simulation) waking() bool {
	return slices.ContainsFunc(s.stepped, plant.waking)
}

// idle reports whether nothing moves and no firmware waits for anything.
func (s *Simulation) idle() bool {
	if s.controlled > 0 || s.listening.Load() > 0 || s.strolling() || s.sliding() {
		return false
	}
	for _, u := range s.units {
		if !u.plant.still() || !u.rab.silent() || u.battery != nil && u.battery.Changing() {
			return false
		}
	}
	return true
}

// settled reports whether all bodies are at rest after the motors.
func (s *Simulation) settled() bool {
	return !slices.ContainsFunc(s.stepped, func(p plant) bool { return !p.settled() })
}

// untilFed returns the end of the last infrared cycle up to a target before a feeder puts something into a world in
// which nothing moves, and the target if none does.
func untilFed(s *Simulation, target int64) int64 {
	for i := range s.feeders {
		f := &s.feeders[i]
		if end := (f.due(s.steps/stepsPerCycle) - 1) * stepsPerCycle; end < target-stepsPerCycle+1 {
			if _, ok := f.ready(s); ok {
				target = end
			}
		}
	}
	return target
}

// jump makes all steps up to target at once, or until a battery's supply may change; only right while idle and settled.
func (s *Simulation) jump(target int64) {
	for _, u := range s.units {
		if u.battery == nil {
			continue
		}
		if d := u.battery.Undisturbed(); d < target-s.steps {
			target = s.steps + max(1, d)
		}
	}
	for _, p := range s.stepped {
		p.stepMotors(time.Duration(target) * stepPeriod)
	}
	for _, u := range s.units {
		if u.battery != nil {
			u.battery.Advance(target-s.steps, 0, 0)
		}
	}
	s.steps = target
	if cycle := target / stepsPerCycle; cycle != s.cycle {
		s.muster()
		for _, u := range s.units { // those that were put elsewhere note it as of the first of the cycles
			u.sample(s.cycle + 1)
		}
		s.sample(cycle)
	}
}

// nextStep returns how far to step at once towards a target: to the end of the infrared cycle, or, where no robot moves
// in each physics step, over several cycles in which no robot decides or hears and nothing but robots moves. Each
// island of bodies makes these cycles by itself, and what belongs to it stays in the processor's cache.
func (s *Simulation) nextStep(target int64) int64 {
	end := s.steps - s.steps%stepsPerCycle + stepsPerCycle
	if end >= target || len(s.stepped) > 0 || len(s.persons) > 0 || len(s.movables) > 0 || s.feeding() {
		return min(end, target)
	}
	first := end / stepsPerCycle
	last := min(first+s.maxStep-1, target/stepsPerCycle)
	for _, every := range [...]int64{cyclesPerMessage, s.beat} {
		if every > 0 {
			last = min(last, (first+every-1)/every*every)
		}
	}
	return last * stepsPerCycle
}

// step makes all steps up to one that nextStep returns: first everything moves, each island of bodies by itself, then
// all sense and decide.
func (s *Simulation) step(to int64) {
	s.muster()
	s.islands.narrow(s, to)
	if len(s.stepped) > 0 || to/stepsPerCycle > s.steps/stepsPerCycle {
		s.jobs.until = to
		s.each(len(s.islands.list), s.jobs.move)
	}
	s.steps = to
	if to%stepsPerCycle == 0 {
		s.push(to / stepsPerCycle)
		for _, a := range s.articulated {
			a.grip(to / stepsPerCycle)
		}
		s.dock(to / stepsPerCycle)
		s.feed(to / stepsPerCycle)
		s.walk()
		s.sample(to / stepsPerCycle)
		s.think()
	}
}

// moveIsland moves the bodies of island i by the steps after from up to to, cycle by cycle.
func (s *Simulation) moveIsland(i int, from, to int64) {
	l, members := &s.islands.list[i], s.islands.members(i)
	for from < to {
		end := min(from-from%stepsPerCycle+stepsPerCycle, to)
		if l.timings[eachStep] {
			stepAll(s.islands.stepped(l), from, end)
		}
		if end%stepsPerCycle == 0 {
			s.endCycle(l, members, end/stepsPerCycle)
		}
		from = end
	}
}

// endCycle ends an infrared cycle for the members of an island, in the order of their timings and of the world file:
// each moves, if it has not in each step, and notes where it is.
func (s *Simulation) endCycle(l *island, members []int32, cycle int64) {
	for when, some := range l.timings {
		if !some {
			continue
		}
		for _, m := range members {
			if u := s.units[m]; u.timing == timing(when) {
				u.endCycle(cycle)
			}
		}
	}
}

// endCycle ends an infrared cycle for the unit.
func (u *unit) endCycle(cycle int64) {
	at, touched := u.plant.move()
	u.collisions.update(cycle, touched && !u.inAir)
	u.note(cycle, at)
	u.strayed(at.Position())
}

// sample notes where the unit is at the end of an infrared cycle, after something has moved it.
func (u *unit) sample(cycle int64) { u.note(cycle, u.plant.pose()) }

// note notes that the unit is at a pose at the end of an infrared cycle.
func (u *unit) note(cycle int64, at geom.Pose) {
	u.sampled, u.sampledInAir = at, u.inAir
	u.sim.spots[u.place] = spot{at.Position(), u.inAir, u.disc}
	u.trace.pose(cycle, at)
}

// stepAll makes the steps after from up to to of the members of an island that move in each: first all motors, then all
// bodies, in the order of the world file.
func stepAll(list []plant, from, to int64) {
	for n := from + 1; n <= to; n++ {
		for _, p := range list {
			p.stepMotors(time.Duration(n) * stepPeriod)
		}
		for _, p := range list {
			p.stepBody()
		}
		for _, p := range list {
			p.stepSensors()
		}
	}
}

// sample ends an infrared cycle, when all units have noted where they are. What the sensors see there is computed when
// it is asked for.
func (s *Simulation) sample(cycle int64) {
	if s.scattered.Swap(false) {
		s.sortCrowd()
	}
	s.cycle = cycle
	s.each(len(s.stepped), s.jobs.sample)
}

// settle computes what all sensors saw in the latest cycle, before the world
// is changed under them.
func (s *Simulation) settle() {
	s.each(len(s.stepped), s.jobs.sense)
}
