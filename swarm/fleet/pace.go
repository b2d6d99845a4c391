// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/hold"
)

const (
	// stride is how often the world catches up with the clock, of the machine's time.
	stride = 5 * time.Millisecond
	// patience is how long the world may take for a stride, of the machine's time; what the clock cannot go then is
	// lateness.
	patience = 100 * time.Millisecond
	// leap is how far the world goes at once where it is as fast as it can, of simulated time.
	leap = 50 * time.Millisecond
	// farthest is how far a clock of real time may be ahead of the world at another speed, of simulated time: less than
	// what its world catches up with at once (sim.Options.MaxCatchUp).
	farthest = 10 * time.Second
)

// Pace is a clock that runs at a multiple of the machine's speed and not further ahead of the world than what it goes
// in 100 ms. Where the world is too slow the clock goes slower, and that is told as lateness: no step is left out. When
// [Pace.Run] has ended it goes on as the machine's does, so that those who end with it do not wait for ever. It
// implements ros2.Clock. It is safe for concurrent use.
type Pace struct {
	step  time.Duration // how far the clock goes at once, and then stands; 0: it goes on by itself
	real  bool          // at speed 1 it is the machine's clock and waits for no world
	epoch time.Time

	mu      sync.Mutex
	over    bool          // Run has ended
	speed   float64       // +Inf: as fast as the world can
	lead    time.Duration // how far the clock may be ahead of the world
	runs    bool          // Run has been called
	holder  hold.Holder   // nil: the machine's clock
	base    time.Time     // of the machine's clock, when the simulated time was since
	since   time.Duration // simulated, since epoch
	from    time.Duration // with steps: what since should have been at base
	reached time.Duration // by the world
	late    time.Duration // lost so far, of simulated time
	wait    chan struct{} // closed when the world has gone on
	changed chan struct{} // closed when the speed changes
}

// NewPace returns a clock that shows epoch and, once Run is called, runs at a speed: 1 is the machine's own, 0 stands
// still, +Inf goes as fast as the world. A negative speed or NaN is ErrSpeed.
func NewPace(epoch time.Time, speed float64) (*Pace, error) {
	p := &Pace{epoch: epoch, base: time.Now(), wait: make(chan struct{}), changed: make(chan struct{})}
	if err := p.SetSpeed(speed); err != nil {
		return nil, err
	}
	return p, nil
}

// NewRealTime returns a clock that shows the present time and runs at speed 1 as the machine's own does, for a robot
// that is served as a real one is (TestRealTimeIsTheMachines): it is never late, and what the world can't catch up with
// is left out (sim.Options.MaxCatchUp). At other speeds it is as that of [NewPace].
func NewRealTime() *Pace {
	now := time.Now()
	return &Pace{real: true, epoch: now, base: now, speed: 1, wait: make(chan struct{}), changed: make(chan struct{})}
}

// SetSpeed changes the speed; at 0 the clock stands. A negative speed or NaN is ErrSpeed, and so is any where another
// holds time or the run has ended.
func (p *Pace) SetSpeed(speed float64) error {
	if !(speed >= 0) {
		return fmt.Errorf("%w: %g, must be 0 or more", ErrSpeed, speed)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.holder != nil {
		return fmt.Errorf("%w: time is not the machine's: %v", ErrSpeed, p.holder.Status())
	}
	if p.over {
		return fmt.Errorf("%w: the run has ended", ErrSpeed)
	}
	p.since = p.elapsed()
	p.base, p.from = time.Now(), p.since
	p.speed, p.lead = speed, leap
	if !math.IsInf(speed, 1) {
		p.lead = time.Duration(max(1, speed) * float64(patience))
	}
	if p.real {
		p.lead = min(p.lead, farthest)
	}
	p.recount()
	return nil
}

// recount lets all who wait count anew. The caller holds mu.
func (p *Pace) recount() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// Step lets a clock that stands go on by d, and waits until the world has come there. A clock that does not stand is
// ErrSpeed.
func (p *Pace) Step(ctx context.Context, d time.Duration) error {
	p.mu.Lock()
	if p.speed != 0 || p.holder != nil || d < 0 {
		defer p.mu.Unlock()
		return fmt.Errorf("%w: %g, must be 0 for a step of %v", ErrSpeed, p.speed, d)
	}
	p.since += d
	p.from = p.since
	due := p.since
	for p.reached < due {
		wait := p.wait
		p.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return ctx.Err()
		}
		p.mu.Lock()
	}
	p.mu.Unlock()
	return nil
}

// NewSteps returns a clock that goes on by a step at a time and stands in between, so that whatever is computed in a
// step is computed at one time, however long it takes (TestSteps), and a run repeats (TestDriversRepeat). Its speed and
// its lateness are as those of NewPace. A step that is not positive is ErrSpeed.
func NewSteps(epoch time.Time, speed float64, step time.Duration) (*Pace, error) {
	p, err := NewPace(epoch, speed)
	if err == nil && step <= 0 {
		err = fmt.Errorf("%w: steps of %v, must be positive", ErrSpeed, step)
	}
	if err != nil {
		return nil, err
	}
	p.step = step
	return p, nil
}

// Speed returns how many simulated seconds a second are asked for; +Inf is as many as the world can.
func (p *Pace) Speed() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.speed
}

// Now returns the simulated time.
func (p *Pace) Now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.epoch.Add(p.elapsed())
}

// elapsed returns the simulated time since epoch. The caller holds mu.
func (p *Pace) elapsed() time.Duration {
	if !p.runs || p.step > 0 {
		return p.since
	}
	if p.over || p.real && p.speed == 1 {
		return p.since + time.Since(p.base)
	}
	limit := max(p.reached+p.lead, p.since) // it never goes back, also where it was faster before
	if math.IsInf(p.speed, 1) {
		return limit
	}
	now := time.Now()
	want := p.since + time.Duration(float64(now.Sub(p.base))*p.speed)
	if want > limit {
		p.late += want - limit
		p.base, p.since = now, limit
		return limit
	}
	return want
}

// Late returns how much simulated time the world has lost so far because it was too slow.
func (p *Pace) Late() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.late
}

// Sleep waits until d has passed on this clock.
func (p *Pace) Sleep(d time.Duration) { p.until(p.Now().Add(d), nil) }

// Wait waits until d has passed on this clock or stop is closed.
func (p *Pace) Wait(d time.Duration, stop <-chan struct{}) { p.until(p.Now().Add(d), stop) }

// until waits for a time of this clock, and tells whether it came.
func (p *Pace) until(t time.Time, stop <-chan struct{}) bool {
	for {
		left := t.Sub(p.Now())
		if left <= 0 {
			return true
		}
		p.mu.Lock()
		wait, changed, speed := p.wait, p.changed, p.speed
		p.mu.Unlock()
		var timer *time.Timer
		var due <-chan time.Time
		if p.step == 0 && speed > 0 && !math.IsInf(speed, 1) {
			timer = time.NewTimer(time.Duration(float64(left)/speed) + time.Microsecond)
			due, wait = timer.C, nil
		}
		select {
		case <-stop:
		case <-wait:
		case <-due:
		case <-changed:
		}
		if timer != nil {
			timer.Stop()
		}
		select {
		case <-stop:
			return false
		default:
		}
	}
}

// Run lets the world follow the clock until ctx ends: advance computes all up to the present time.
func (p *Pace) Run(ctx context.Context, advance func()) {
	tick := time.NewTicker(stride)
	defer tick.Stop()
	p.mu.Lock()
	p.runs, p.base = true, time.Now()
	p.mu.Unlock()
	defer p.release()
	for ctx.Err() == nil {
		p.mu.Lock()
		if p.step > 0 && !p.stride() {
			p.mu.Unlock()
			pause(ctx, tick.C)
			continue
		}
		due := p.elapsed()
		p.mu.Unlock()
		advance() // at least to due
		p.mu.Lock()
		p.reached = due
		close(p.wait)
		p.wait = make(chan struct{})
		speed := p.speed
		p.mu.Unlock()
		if p.step == 0 && !math.IsInf(speed, 1) {
			pause(ctx, tick.C)
		}
	}
}

// release lets the clock go on as the machine's from where it is: who ends with the run, such as a driver that stops
// its wheels over the bus, is not held up by a pause. A clock that goes by steps stays: its transfers take no time.
func (p *Pace) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.step > 0 {
		return
	}
	p.since, p.base = p.elapsed(), time.Now()
	p.speed, p.over = 1, true
	p.recount()
}

// pause waits for the next tick.
func pause(ctx context.Context, tick <-chan time.Time) {
	select {
	case <-tick:
	case <-ctx.Done():
	}
}

// stride makes a step if it is time for one, and tells whether it has. The caller holds mu.
func (p *Pace) stride() bool {
	if !math.IsInf(p.speed, 1) {
		now := time.Now()
		behind := time.Duration(float64(now.Sub(p.base))*p.speed) - (p.since - p.from)
		if p.speed == 0 && p.reached < p.since { // after Step
			return true
		}
		if p.speed == 0 || behind < p.step {
			return false
		}
		if excess := behind - p.lead; excess > 0 {
			p.late += excess
			p.base, p.from = now, p.since+p.lead
		}
	}
	p.since += p.step
	return true
}

// NewTimer implements ros2.Clock.
func (p *Pace) NewTimer(d time.Duration) ros2.Timer {
	t := &timer{p: p, c: make(chan time.Time, 1)}
	t.Reset(d)
	return t
}

// timer is a timer on a paced clock.
type timer struct {
	p    *Pace
	c    chan time.Time
	mu   sync.Mutex
	stop chan struct{} // of the start that runs; nil: none
}

// C returns the channel on which the time is sent.
func (t *timer) C() <-chan time.Time { return t.c }

// Reset starts the timer anew; it tells whether it was running.
func (t *timer) Reset(d time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	ran := t.end()
	stop := make(chan struct{})
	t.stop = stop
	due := t.p.Now().Add(d)
	task.Go("timer of simulated time", func() {
		if !t.p.until(due, stop) {
			return
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.stop == stop {
			t.stop = nil
			t.c <- t.p.Now()
		}
	})
	return ran
}

// Stop tells whether the timer was running.
func (t *timer) Stop() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.end()
}

// end stops the start that runs and takes a time back that was not received. The caller holds mu.
func (t *timer) end() bool {
	ran := t.stop != nil
	if ran {
		close(t.stop)
		t.stop = nil
	}
	select {
	case <-t.c:
	default:
	}
	return ran
}

var _ ros2.Clock = (*Pace)(nil)
