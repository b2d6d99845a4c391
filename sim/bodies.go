// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
)

// member returns the robot as the kernel moves it.
func (u *unit) member() kernel.Member {
	m := kernel.Member{Body: body{u}, Last: u.timing == afterOthers}
	if u.timing == eachStep {
		m.Stepper = stepper{u}
	}
	return m
}

// body implements kernel.Body.
type body struct{ u *unit }

func (b body) EndCycle(cycle int64) { b.u.endCycle(cycle) }
func (b body) Sample(cycle int64)   { b.u.sample(cycle) }
func (b body) Think()               { b.u.plant.think() }

func (b body) Idle() bool {
	u := b.u
	return u.plant.still() && u.rab.silent() && !(u.battery != nil && u.battery.Changing())
}

func (b body) Undisturbed() int64 {
	if b.u.battery == nil {
		return math.MaxInt64
	}
	return b.u.battery.Undisturbed()
}

func (b body) Skip(steps int64) {
	if b.u.battery != nil {
		b.u.battery.Advance(steps, 0, 0)
	}
}

// stepper implements kernel.Stepper.
type stepper struct{ u *unit }

func (s stepper) StepMotors(end time.Duration) { s.u.plant.stepMotors(end) }
func (s stepper) StepBody()                    { s.u.plant.stepBody() }
func (s stepper) StepSensors()                 { s.u.plant.stepSensors() }
func (s stepper) SampleSensors(cycle int64)    { s.u.plant.sampleSensors(cycle) }
func (s stepper) Sense()                       { s.u.plant.sense() }
func (s stepper) Settled() bool                { return s.u.plant.settled() }
func (s stepper) Waking() bool                 { return s.u.plant.waking() }

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

// surroundings implements kernel.World.
type surroundings struct{ s *Simulation }

func (x surroundings) Sort(noted bool) {
	switch s := x.s; {
	case !noted:
		s.muster()
	case s.scattered.Swap(false):
		s.sortCrowd()
	}
}

func (x surroundings) Near(i int) []int32 { return x.s.units[i].approach() }
func (x surroundings) Meet(i int) []int32 { return x.s.units[i].meet() }

func (x surroundings) Idle() bool {
	s := x.s
	return s.listening.Load() == 0 && !s.strolling() && !s.sliding()
}

// Until returns the end of the last infrared cycle up to a target before a feeder puts something into a world in which
// nothing moves, and the target if none does.
func (x surroundings) Until(target int64) int64 {
	s := x.s
	for i := range s.feeders {
		f := &s.feeders[i]
		if end := (f.due(s.kernel.Steps()/kernel.StepsPerCycle) - 1) * kernel.StepsPerCycle; end < target-kernel.StepsPerCycle+1 {
			if _, ok := f.ready(s); ok {
				target = end
			}
		}
	}
	return target
}

func (x surroundings) Single() bool {
	s := x.s
	return len(s.persons) > 0 || len(s.movables) > 0 || s.feeding()
}

func (x surroundings) EndCycle(cycle int64) {
	s := x.s
	s.push(cycle)
	for _, a := range s.articulated {
		a.grip(cycle)
	}
	s.dock(cycle)
	s.feed(cycle)
	s.walk()
}

func (x surroundings) Exchange() { x.s.exchangeMessages() }

// catchUp advances the world to the time of the clock. The caller holds mu.
func (s *Simulation) catchUp() { s.kernel.CatchUp() }

// settle computes what all sensors saw in the latest cycle, before the world
// is changed under them.
func (s *Simulation) settle() { s.kernel.Sense() }
