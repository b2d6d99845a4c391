// SPDX-License-Identifier: Apache-2.0

// Package kernel advances a simulated world in time: it follows a clock in physics steps of 1 ms and infrared cycles of
// 10 ms, and calls in each what is due in an order that depends on the world alone. It knows neither what the bodies are
// nor what else is in the world: these implement [Body], [Stepper] and [World].
//
// # Order of a step
//
// First all bodies move, then the rest of the world ends the cycle ([World.EndCycle]), then sensors are sampled, messages
// exchanged and controllers called. Bodies that may touch each other are an island: one goroutine moves the members of
// an island, in the order in which they were added, and different islands move at once. So what happens is the same
// for any number of goroutines.
//
// # Steps of several cycles
//
// Where nothing happens between cycles but the motion of bodies, an island makes several cycles at once, so that its
// bodies stay in the processor's cache. A world in which nothing moves at all is advanced in one step.
package kernel

import (
	"math"
	"slices"
	"time"
)

const (
	// StepPeriod is the length of a physics step.
	StepPeriod = time.Millisecond
	// CycleTime is the length of an infrared cycle, the period of the robot's infrared sensors.
	CycleTime = 10 * time.Millisecond
	// CycleSeconds is CycleTime in seconds.
	CycleSeconds = float64(CycleTime) / float64(time.Second)
	// StepsPerCycle is the number of physics steps of an infrared cycle.
	StepsPerCycle = int64(CycleTime / StepPeriod)
	// MaxStep is the maximum number of infrared cycles that a step has.
	MaxStep = 10
)

// Body is what the kernel moves. During a step its methods are called by the goroutine that moves its island.
type Body interface {
	// EndCycle ends an infrared cycle: the body moves by the cycle, unless it has moved in each physics step, and notes
	// where it is.
	EndCycle(cycle int64)
	// Sample notes where the body is at the end of an infrared cycle, after something else has moved it.
	Sample(cycle int64)
	// Think runs the body's controller, if that is due.
	Think()
	// Idle reports whether the body neither moves nor is about to, and waits for nothing.
	Idle() bool
	// Undisturbed returns how many steps an idle body stays as it is at least. Skip advances it by so many steps in
	// which it is idle.
	Undisturbed() int64
	Skip(steps int64)
}

// Stepper is what a body has in addition that moves in each physics step: its motors move, then the bodies of all
// members of its island, then their motion sensors and batteries.
type Stepper interface {
	// StepMotors, StepBody and StepSensors make the physics step that ends then.
	StepMotors(end time.Duration)
	StepBody()
	StepSensors()
	// SampleSensors ends an infrared cycle for the sensors. What they measure is computed when it is asked for, or by
	// Sense, before the world is changed.
	SampleSensors(cycle int64)
	Sense()
	// Settled reports whether the body is at rest after its motors, Waking whether it may begin to move without a
	// command.
	Settled() bool
	Waking() bool
}

// Member is a body of the world and when it moves in a cycle. The order is part of what repeats in equal runs: in each
// step those with a Stepper, at the end of the cycle those without, then the last ones.
type Member struct {
	Body    Body
	Stepper Stepper // nil: the body makes the whole cycle at its end
	Last    bool    // it does so after the others
}

// timing is when a member moves in an infrared cycle.
type timing uint8

const (
	eachStep timing = iota
	eachCycle
	afterOthers
)

// World is what a kernel advances in addition to the bodies.
type World interface {
	// Sort sorts the members by their places if some were added or removed or have moved too far since, and then calls
	// [Kernel.Group]. noted reports whether all have noted their places in this cycle.
	Sort(noted bool)
	// Near returns the numbers of the members that number i may touch before the next call of Group; Meet returns those
	// of them that it may touch in the next cycles of the longest step. Different goroutines call them at once.
	Near(i int) []int32
	Meet(i int) []int32
	// Idle reports whether nothing but the bodies moves or is about to, and none of them receives messages.
	Idle() bool
	// Until returns the last step up to target before something happens in an idle world.
	Until(target int64) int64
	// Single reports whether something happens at the end of each cycle, so that steps must not be longer.
	Single() bool
	// EndCycle ends an infrared cycle for everything but the bodies.
	EndCycle(cycle int64)
	// Exchange is called once in each Config.Exchange cycles, before the controllers.
	Exchange()
}

// Config is what a kernel needs. World and Now must be set.
type Config struct {
	World World
	// Now is the clock that the world follows.
	Now func() time.Time
	// MaxCatchUp bounds the time that is simulated at once while something moves: the world sleeps through the rest.
	// 0 or less means no bound.
	MaxCatchUp time.Duration
	// Workers bounds the goroutines that compute at once. 0 or less: one for each processor that Go uses.
	Workers int
	// Exchange is the number of cycles between two calls of World.Exchange.
	Exchange int64
}

// Kernel advances a world. The caller holds the lock of the world during every call.
type Kernel struct {
	cfg   Config    `checkpoint:"-"`
	epoch time.Time `checkpoint:"-"`

	// Of the members, by their numbers, and in lists of what is needed at once.
	bodies   []Body    `checkpoint:"-"`
	timings  []timing  `checkpoint:"-"`
	steppers []Stepper `checkpoint:"-"` // nil: none
	stepped  []Stepper `checkpoint:"-"` // those that are not nil: most worlds have none
	longest  int64     `checkpoint:"-"` // how many infrared cycles are made at once at the most

	time    time.Duration // how far the motors have run
	behind  bool          // some motors have not
	steps   int64         // physics steps made
	cycle   int64         // latest infrared cycle
	skipped time.Duration // time the world slept through

	controlled int        // bodies with a controller
	beat       int64      `checkpoint:"-"` // infrared cycles: all of their periods are multiples of it
	islands    islands    `checkpoint:"-"`
	jobs       jobs       `checkpoint:"-"`
	workers    workerPool `checkpoint:"-"`
}

// Init makes k the kernel of a world that is as old as its clock shows, 0, and has no members.
func (k *Kernel) Init(cfg Config) {
	if cfg.Workers <= 0 {
		cfg.Workers = math.MaxInt
	}
	k.cfg, k.epoch, k.longest = cfg, cfg.Now(), MaxStep
	k.jobs = k.newJobs()
}

// Add adds a member after all others. The world is not grouped any more: [World.Sort] must do that.
func (k *Kernel) Add(m Member) {
	when := eachCycle
	switch {
	case m.Stepper != nil:
		when = eachStep
	case m.Last:
		when = afterOthers
	}
	k.bodies, k.timings, k.steppers = append(k.bodies, m.Body), append(k.timings, when), append(k.steppers, m.Stepper)
	if m.Stepper != nil {
		k.stepped = append(k.stepped, m.Stepper)
	}
}

// Start starts the motors of a member that was added last, at the present time of the world.
func (k *Kernel) Start() {
	if s := k.steppers[len(k.steppers)-1]; s != nil {
		s.StepMotors(k.time)
	}
}

// Remove removes member i; those after it get the number before theirs.
func (k *Kernel) Remove(i int) {
	if s := k.steppers[i]; s != nil {
		k.stepped = slices.DeleteFunc(k.stepped, func(o Stepper) bool { return o == s })
	}
	k.bodies, k.timings = slices.Delete(k.bodies, i, i+1), slices.Delete(k.timings, i, i+1)
	k.steppers = slices.Delete(k.steppers, i, i+1)
}

// Time returns the age of the world.
func (k *Kernel) Time() time.Duration { return k.time }

// Steps returns the number of physics steps made.
func (k *Kernel) Steps() int64 { return k.steps }

// Cycle returns the number of the latest infrared cycle.
func (k *Kernel) Cycle() int64 { return k.cycle }

// SetMaxStep sets how many infrared cycles a step may have: 1 to [MaxStep], which is the default.
func (k *Kernel) SetMaxStep(cycles int64) { k.longest = cycles }

// Resume continues a world whose state was loaded, at the present time of the clock.
func (k *Kernel) Resume() { k.epoch = k.cfg.Now().Add(-k.time - k.skipped) }

// AddController notes that a body has a controller that is called once in a period, cycles; RemoveController that one
// has none any more.
func (k *Kernel) AddController(period int64) {
	k.controlled++
	k.ResumeController(period)
}

// RemoveController notes that a body has no controller any more.
func (k *Kernel) RemoveController() { k.controlled-- }

// ResumeController is AddController for a controller that the loaded state counts already.
func (k *Kernel) ResumeController(period int64) { k.beat = divisor(k.beat, period) }

// divisor returns the greatest common divisor of two numbers; 0 stands for none.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// jobs are the operations on single members or islands, by index (think: index in the islands' store). They are created
// once, so that a step does not allocate.
type jobs struct {
	until                                      int64 // of move
	move, approach, meet, sample, sense, think func(i int)
}

func (k *Kernel) newJobs() jobs {
	return jobs{
		move:     func(i int) { k.moveIsland(i, k.steps, k.jobs.until) },
		approach: func(i int) { k.islands.near[i] = k.cfg.World.Near(i) },
		meet:     func(i int) { k.islands.near[i] = k.cfg.World.Meet(i) },
		sample:   func(i int) { k.stepped[i].SampleSensors(k.cycle) },
		sense:    func(i int) { k.stepped[i].Sense() },
		think:    func(i int) { k.bodies[k.islands.store[i]].Think() },
	}
}
