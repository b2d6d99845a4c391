// SPDX-License-Identifier: Apache-2.0

// Package simclock is the clock of a simulation: a discrete-event clock with a real-time pacer on top, and its topic
// /clock. Fleets, and the program for ARMv6 with its one robot, run on it.
package simclock

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/timesource"
)

// ErrFactor is matched by an invalid real-time factor, and by a step at the wrong time or of an invalid length.
var ErrFactor = errors.New("simclock: real-time factor")

// StepPeriod is the default time step of a simulation, and the step of the service step_simulation.
const StepPeriod = 10 * time.Millisecond

const (
	// minSleep is the shortest time that the real-time pacer sleeps; it then makes all steps that are due.
	minSleep = 2 * time.Millisecond
	// maxJitter is the lag, of the machine's time, that does not count as lateness.
	maxJitter = 100 * time.Millisecond
	// maxLag is the lag, of the machine's time, that is still caught up with. What exceeds it is dropped: the
	// simulation continues late.
	maxLag = 5 * time.Second
)

// Config configures a [Clock].
type Config struct {
	// Epoch is the time that the clock shows at age 0. It defaults to the zero time, which ROS messages show as 0.
	Epoch time.Time
	// Factor is the real-time factor: simulated seconds per second of the machine. 0 pauses, +Inf runs as fast as the
	// machine can. It has no default: the zero value is paused.
	Factor float64
	// Step is the time step: the world and all nodes are advanced at its multiples. It defaults to [StepPeriod].
	Step time.Duration
	// OnLate is called with the names of the owners of timers that take longer than 1 s of the machine's time to
	// handle an event, once per wait. It may be nil.
	OnLate func(waits string)
}

// Clock is the clock of a simulation. It is a discrete-event clock: it does not change while a step is computed, and
// advances to the next step, timer or waiting goroutine only when everything that was due has been done, whatever the
// real-time factor (TestTimeNeverPassesAnEventThatIsDue). A machine that is too slow makes the simulation late; no
// step, timer or waiting goroutine is skipped (TestSimulationCatchesUpAfterTheMachineWasBusy).
//
// Timers fire at exactly their time. The clock then waits until the timer is started again or stopped, and for a
// goroutine in [Clock.Wait] until it waits again, so that what they do happens at their time. The clock does not
// advance while one does neither, until the run ends; [Clock.Status] and OnLate name it
// (TestClockStandsStillForAnOwnerThatHangs). An owner must therefore not wait for a later time before it has started
// its timer again or stopped it.
//
// After [Clock.Run] or [Clock.Drive] the clock does not advance until [Clock.Release] continues it at the machine's
// speed, so that what shuts down with it does not wait forever (TestTimePassesAfterRelease). Clock implements
// ros2.Clock and is safe for concurrent use.
type Clock struct {
	step   time.Duration
	epoch  time.Time
	onLate func(waits string)

	mu         sync.Mutex
	factor     float64
	source     timesource.Source // time source; nil: the machine's clock
	running    bool              // during Run or Drive
	ended      time.Time         // of the machine's clock, at Release; zero before
	now        time.Duration     // age
	reached    time.Duration     // age that everything has been advanced to
	requested  time.Duration     // age that Step has asked for
	base       time.Time         // of the machine's clock: the reference of the real-time factor …
	from       time.Duration     // … and the age at that time
	dropped    time.Duration     // lag that is not caught up with
	events     events
	waiters    map[<-chan struct{}][]*event // the latest Wait of each goroutine, by its stop
	stepped    chan struct{}                // closed and replaced when reached has grown
	changed    chan struct{}                // closed and replaced when the factor changes or Step asks for more
	lateOwners string                       // owners for which the clock has waited longer than ownerLimit …
	lateSince  time.Time                    // … and since when, of the machine's clock
}

// New returns a clock that shows cfg.Epoch until it runs. A negative factor, NaN or a negative step is
// [ErrFactor].
func New(cfg Config) (*Clock, error) {
	if cfg.Step < 0 {
		return nil, fmt.Errorf("%w: a step of %v, must be positive", ErrFactor, cfg.Step)
	}
	if cfg.Step == 0 {
		cfg.Step = StepPeriod
	}
	if cfg.OnLate == nil {
		cfg.OnLate = func(string) {}
	}
	c := &Clock{
		step: cfg.Step, epoch: cfg.Epoch, onLate: cfg.OnLate, base: time.Now(),
		waiters: map[<-chan struct{}][]*event{}, stepped: make(chan struct{}), changed: make(chan struct{}),
	}
	if err := c.SetFactor(cfg.Factor); err != nil {
		return nil, err
	}
	return c, nil
}

// Now returns the simulated time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch.Add(c.age())
}

// age returns the simulated time since the epoch. The caller holds mu.
func (c *Clock) age() time.Duration {
	if c.ended.IsZero() {
		return c.now
	}
	return c.now + time.Since(c.ended)
}

// Factor returns the real-time factor; +Inf is as fast as the machine can.
func (c *Clock) Factor() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.factor
}

// SetFactor sets the real-time factor; 0 pauses. The error matches [ErrFactor] for a negative factor or NaN, while a
// time source other than the machine's clock is active, and after [Clock.Release].
func (c *Clock) SetFactor(factor float64) error {
	if !(factor >= 0) {
		return fmt.Errorf("%w: %g, must be 0 or more", ErrFactor, factor)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.source != nil {
		return fmt.Errorf("%w: the time source is not the machine's clock: %v", ErrFactor, c.source.Status())
	}
	if !c.ended.IsZero() {
		return fmt.Errorf("%w: the run has ended", ErrFactor)
	}
	c.factor = factor
	c.base, c.from, c.requested = time.Now(), c.now, c.now
	signal(&c.changed)
	return nil
}

// Step advances a paused clock by d, rounded up to whole steps, and returns when everything has been advanced. The
// error matches [ErrFactor] if the clock is not paused or d is negative.
func (c *Clock) Step(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.factor != 0 || c.source != nil || d < 0 {
		return fmt.Errorf("%w: %g, must be 0 for a step of %v", ErrFactor, c.factor, d)
	}
	c.requested = max(c.requested, c.now) + d
	signal(&c.changed)
	for due := c.requested; c.reached < due; {
		if c.factor != 0 {
			return fmt.Errorf("%w: the factor was changed during a step", ErrFactor)
		}
		stepped, changed := c.stepped, c.changed
		c.mu.Unlock()
		select {
		case <-stepped:
		case <-changed:
		case <-ctx.Done():
		}
		c.mu.Lock()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Late returns by how much the simulation lags behind the real-time factor, including what it no longer tries to catch
// up with. A lag of up to maxJitter of the machine's time is none.
func (c *Clock) Late() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	late := c.dropped
	if c.paced() {
		late += max(0, c.lag()-time.Duration(c.factor*float64(maxJitter)))
	}
	return late
}

// Status returns the active time source and what it waits for.
func (c *Clock) Status() timesource.Status {
	c.mu.Lock()
	source, running, factor := c.source, c.running, c.factor
	owners, since := c.lateOwners, c.lateSince
	c.mu.Unlock()
	s := limit(source, running, factor)
	if owners != "" {
		s.Waits, s.Since = owners, time.Since(since)
	}
	return s
}

// limit returns what limits the simulated time.
func limit(source timesource.Source, running bool, factor float64) timesource.Status {
	switch {
	case source != nil:
		return source.Status()
	case !running:
		return timesource.Status{By: "nothing yet"}
	case factor == 0:
		return timesource.Status{By: "paused"}
	case math.IsInf(factor, 1):
		return timesource.Status{By: "as fast as possible"}
	}
	return timesource.Status{By: fmt.Sprintf("the machine's clock × %g", factor)}
}

// paced reports whether the machine's clock limits the simulated time. The caller holds mu.
func (c *Clock) paced() bool {
	return c.running && c.source == nil && c.factor > 0 && !math.IsInf(c.factor, 1)
}

// signal wakes all goroutines that wait for a channel, and replaces it.
func signal(ch *chan struct{}) {
	close(*ch)
	*ch = make(chan struct{})
}

// Run advances the simulation step by step at the real-time factor, until ctx ends, when it returns nil, or advance
// fails, when it returns its error. advance is called at each step and brings the world and all nodes to the clock's
// time, which does not change meanwhile. The clock does not advance after Run has returned.
func (c *Clock) Run(ctx context.Context, advance func() error) error {
	c.begin(nil)
	defer c.stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		pause, changed := c.pause()
		if pause == 0 {
			if err := c.advance(ctx, c.next(), advance); err != nil {
				return unlessEnded(ctx, err)
			}
			continue
		}
		var due <-chan time.Time
		if pause > 0 {
			timer.Reset(pause)
			due = timer.C
		}
		select {
		case <-due:
		case <-changed:
		case <-ctx.Done():
		}
	}
	return nil
}

// Drive advances the simulation to the ages of a time source, until ctx ends or the source is done. advance is called
// at each of them as in [Clock.Run]; its error ends the run and is returned. The real-time factor and the step have
// no effect.
func (c *Clock) Drive(ctx context.Context, source timesource.Source, advance func() error) error {
	c.begin(source)
	defer c.stop()
	return unlessEnded(ctx, source.Run(ctx, func(age time.Duration) error { return c.advance(ctx, age, advance) }))
}

// unlessEnded returns err unless it is that of the context, which has ended.
func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

func (c *Clock) begin(source timesource.Source) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running, c.source, c.base, c.from = true, source, time.Now(), c.now
}

// stop ends a run and records its lag.
func (c *Clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paced() {
		c.dropped += max(0, c.lag()-time.Duration(c.factor*float64(maxJitter)))
	}
	c.running = false
}

// Release continues the clock at the machine's speed from its current time, permanently: drivers that stop their
// wheels at the end wait on it. It is called after Run or Drive has returned, when nothing more is to be added to the
// run.
func (c *Clock) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended.IsZero() {
		return
	}
	c.ended = time.Now()
	for _, e := range c.events.removeAll() {
		c.fireLater(e)
	}
	signal(&c.changed)
}

// next returns the age of the next step.
func (c *Clock) next() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now - c.now%c.step + c.step
}

// lag returns how far the simulation is behind the real-time factor. The caller holds mu.
func (c *Clock) lag() time.Duration {
	return time.Duration(float64(time.Since(c.base))*c.factor) - (c.now - c.from)
}

// pause returns the time until the next step: 0 if it is due, negative if only a change makes it due.
func (c *Clock) pause() (wait time.Duration, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case math.IsInf(c.factor, 1):
		return 0, c.changed
	case c.factor == 0:
		if c.reached < c.requested {
			return 0, c.changed
		}
		return -1, c.changed
	}
	lag := c.lag()
	if excess := lag - time.Duration(c.factor*float64(maxLag)); excess > 0 {
		c.dropped += excess
		c.from -= excess
	}
	early := c.step - c.now%c.step - lag
	if early <= 0 {
		return 0, c.changed
	}
	if w := float64(early) / c.factor; w < float64(time.Hour) {
		return max(minSleep, time.Duration(w)), c.changed
	}
	return time.Hour, c.changed
}

// advance moves the clock to an age, through all events that are due before, and advances everything else there. If ctx
// ends before, the clock stays where it is and the error is that of ctx.
func (c *Clock) advance(ctx context.Context, age time.Duration, everything func() error) error {
	for fired := true; fired; {
		var err error
		if fired, err = c.fireNext(ctx, age); err != nil {
			return err
		}
	}
	c.mu.Lock()
	c.now = max(c.now, age)
	c.mu.Unlock()
	err := everything()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reached = c.now
	signal(&c.stepped)
	return err
}

var _ ros2.Clock = (*Clock)(nil)
