// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"slices"
	"time"
)

// CatchUp advances the world to the time of the clock.
func (k *Kernel) CatchUp() {
	k.Reach()
	if k.behind {
		k.behind = false
		for _, s := range k.stepped {
			s.StepMotors(k.time)
		}
	}
}

// Reach advances all bodies to the time of the clock; the motors of a body may lag by less than a step, until its own
// processor is informed (CatchUp informs all).
func (k *Kernel) Reach() {
	t := k.cfg.Now().Sub(k.epoch) - k.skipped
	if t <= k.time { // the clock has not advanced, or was put back
		return
	}
	if excess := t - k.time - k.cfg.MaxCatchUp; k.cfg.MaxCatchUp > 0 && excess > 0 {
		for k.waking() && k.steps < int64(t/StepPeriod) { // it may begin a motion, or not
			k.step(k.steps + 1)
			k.time = time.Duration(k.steps) * StepPeriod
		}
		if !k.idle() {
			k.skipped += excess
			t -= excess
		}
	}
	for target := int64(t / StepPeriod); k.steps < target; {
		if k.Resting() {
			if last := k.cfg.World.Until(target); last > k.steps {
				k.jump(last)
				continue
			}
		}
		k.step(k.nextStep(target))
	}
	k.time, k.behind = t, true
}

// waking reports whether a body is about to obey.
func (k *Kernel) waking() bool { return slices.ContainsFunc(k.stepped, Stepper.Waking) }

// Resting reports whether nothing in the world moves or is about to: time may pass at once.
func (k *Kernel) Resting() bool { return k.idle() && k.settled() }

// idle reports whether nothing moves but bodies that come to rest, and no body waits for anything.
func (k *Kernel) idle() bool {
	if k.controlled > 0 || !k.cfg.World.Idle() {
		return false
	}
	for _, b := range k.bodies {
		if !b.Idle() {
			return false
		}
	}
	return true
}

// settled reports whether all bodies are at rest after the motors.
func (k *Kernel) settled() bool {
	return !slices.ContainsFunc(k.stepped, func(s Stepper) bool { return !s.Settled() })
}

// jump makes all steps up to target at once, or until a body may be disturbed; only right while idle and settled.
func (k *Kernel) jump(target int64) {
	for _, b := range k.bodies {
		if d := b.Undisturbed(); d < target-k.steps {
			target = k.steps + max(1, d)
		}
	}
	for _, s := range k.stepped {
		s.StepMotors(time.Duration(target) * StepPeriod)
	}
	for _, b := range k.bodies {
		b.Skip(target - k.steps)
	}
	k.steps = target
	if cycle := target / StepsPerCycle; cycle != k.cycle {
		k.cfg.World.Sort(false)
		for _, b := range k.bodies { // those that were put elsewhere note it as of the first of the cycles
			b.Sample(k.cycle + 1)
		}
		k.sample(cycle)
	}
}

// nextStep returns how far to step at once towards a target: to the end of the infrared cycle, or, where no body moves
// in each physics step, over several cycles in which no controller is called, no messages are exchanged and nothing but
// bodies moves. Each island makes these cycles by itself, and what belongs to it stays in the processor's cache.
func (k *Kernel) nextStep(target int64) int64 {
	end := k.steps - k.steps%StepsPerCycle + StepsPerCycle
	if end >= target || len(k.stepped) > 0 || k.cfg.World.Single() {
		return min(end, target)
	}
	first := end / StepsPerCycle
	last := min(first+k.longest-1, target/StepsPerCycle)
	for _, every := range [...]int64{k.cfg.Exchange, k.beat} {
		if every > 0 {
			last = min(last, (first+every-1)/every*every)
		}
	}
	return last * StepsPerCycle
}

// step makes all steps up to one that nextStep returns: first everything moves, each island of bodies by itself, then
// all sense and decide.
func (k *Kernel) step(to int64) {
	k.cfg.World.Sort(false)
	k.narrow(to)
	if len(k.stepped) > 0 || to/StepsPerCycle > k.steps/StepsPerCycle {
		k.jobs.until = to
		k.Each(len(k.islands.list), k.jobs.move)
	}
	k.steps = to
	if to%StepsPerCycle == 0 {
		cycle := to / StepsPerCycle
		k.cfg.World.EndCycle(cycle)
		k.sample(cycle)
		k.think()
	}
}

// moveIsland moves the members of island i by the steps after from up to to, cycle by cycle.
func (k *Kernel) moveIsland(i int, from, to int64) {
	l, members := &k.islands.list[i], k.islands.members(i)
	for from < to {
		end := min(from-from%StepsPerCycle+StepsPerCycle, to)
		if l.timings[eachStep] {
			stepAll(k.islands.stepped(l), from, end)
		}
		if end%StepsPerCycle == 0 {
			k.endCycle(l, members, end/StepsPerCycle)
		}
		from = end
	}
}

// endCycle ends an infrared cycle for the members of an island, in the order of their timings and numbers.
func (k *Kernel) endCycle(l *island, members []int32, cycle int64) {
	for when, some := range l.timings {
		if !some {
			continue
		}
		for _, i := range members {
			if k.timings[i] == timing(when) {
				k.bodies[i].EndCycle(cycle)
			}
		}
	}
}

// stepAll makes the steps after from up to to of the members of an island that move in each: first all motors, then all
// bodies, in the order of their numbers.
func stepAll(list []Stepper, from, to int64) {
	for n := from + 1; n <= to; n++ {
		for _, s := range list {
			s.StepMotors(time.Duration(n) * StepPeriod)
		}
		for _, s := range list {
			s.StepBody()
		}
		for _, s := range list {
			s.StepSensors()
		}
	}
}

// sample ends an infrared cycle, when all members have noted where they are. What the sensors measure there is computed
// when it is asked for.
func (k *Kernel) sample(cycle int64) {
	k.cfg.World.Sort(true)
	k.cycle = cycle
	k.Each(len(k.stepped), k.jobs.sample)
}

// Sense computes what all sensors measured in the latest cycle, before the world is changed under them.
func (k *Kernel) Sense() { k.Each(len(k.stepped), k.jobs.sense) }

// think exchanges messages and runs the controllers that are due, each by itself, for nothing moves meanwhile: also those
// of one island, which in a dense world has most members. They come in the order of the islands, so that most are in
// the cache of the processor that has moved them.
func (k *Kernel) think() {
	if k.cycle%k.cfg.Exchange == 0 {
		k.cfg.World.Exchange()
	}
	if k.controlled > 0 && k.cycle%k.beat == 0 {
		k.Each(len(k.islands.store), k.jobs.think)
	}
}
