// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/driver/schedule"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// errConfig is wrapped when a required field of [Config] is missing or invalid.
var errConfig = errors.New("wheels: invalid configuration")

// MinCommandGap is the minimum time between the starts of two exchanges that are made only for a command. At 50
// exchanges of 6.2 ms a second, two thirds of the bus time remain for others at any rate of commands
// (TestFloodOfCommandsDoesNotStarveTheBus).
const MinCommandGap = 20 * time.Millisecond

// eventCapacity is the capacity of the queue of events.
const eventCapacity = 64

// Timer fires once after each Reset, as [time.Timer] does. The value sent is ignored, and may be from before the last
// Reset. Stop is called once, when the timer is no longer needed.
type Timer interface {
	C() <-chan time.Time
	Reset(d time.Duration) bool
	Stop() bool
}

// Config is the configuration of a loop.
type Config struct {
	// NewProcessor returns the robot's main processor, which reports its events to a function. It is required.
	NewProcessor func(events func(mcu.Event)) (hardware.Processor, error)
	// Guard stops the wheels when the processor's methods hang. It is required.
	Guard hardware.Halter
	// Period is the time from one control cycle to the next. It is required.
	Period time.Duration
	// StopTime is how long [Loop.Halt] keeps trying. It is required.
	StopTime time.Duration
	// Woken, if set, is called when a request may be due, see [Loop.Serve]. It must not block.
	Woken func()
	// Now and NewTimer are the clock. They are required and must not block.
	Now      func() time.Time
	NewTimer func(d time.Duration) Timer
}

// Loop drives one robot. [Loop.Run] does the work on one goroutine, [Loop.Watch] monitors it on another; methods that
// are safe for concurrent use say so.
type Loop struct {
	cfg   Config
	dev   hardware.Processor // used by the loop's goroutine only, except its counters
	guard guard
	epoch time.Time

	motion   motion
	lights   lights
	timeout  atomic.Int64  // ns
	melody   atomic.Uint32 // requested; 0 none
	infrared atomic.Bool   // a calibration is requested
	wake     chan struct{} // capacity 1: a request is pending
	news     chan struct{} // capacity 1: there is a new reading
	events   events
	slot     slot[Reading]

	// Used by the loop's goroutine only:
	now       Reading
	link      link
	ticks     schedule.Schedule
	sent      Speeds // sent in the last successful exchange
	moved     bool   // a motion was sent to the robot, whether it arrived or not
	lastExtra time.Time
	turned    bool // the selector was turned in this exchange
	odd       bool // the diagnosis of the measurement itself has changed
	failed    bool // the last exchange failed
	served    bool // Serve has been called
}

// New returns a loop without making a transaction. It fails if a required field of Config is missing or not positive;
// the error names it.
func New(cfg Config) (*Loop, error) {
	switch {
	case cfg.NewProcessor == nil || cfg.Guard == nil:
		return nil, fmt.Errorf("%w: no processor or no guard", errConfig)
	case cfg.Period <= 0 || cfg.StopTime <= 0:
		return nil, fmt.Errorf("%w: period %v, stop time %v", errConfig, cfg.Period, cfg.StopTime)
	case cfg.Now == nil || cfg.NewTimer == nil:
		return nil, fmt.Errorf("%w: no clock", errConfig)
	}
	l := &Loop{
		cfg: cfg, epoch: cfg.Now(),
		wake: make(chan struct{}, 1), news: make(chan struct{}, 1), events: events{queue: make(chan *Event, eventCapacity)},
	}
	l.slot.init()
	l.ticks = schedule.New(l.epoch, cfg.Period)
	var err error
	if l.dev, err = cfg.NewProcessor(l.onEvent); err != nil {
		return nil, fmt.Errorf("%w: %w", errConfig, err)
	}
	l.guard.dev, l.guard.halted = cfg.Guard, make(chan struct{})
	return l, nil
}

// Run exchanges commands for readings until ctx ends. It does not stop the wheels: the caller calls Halt. It is
// called once.
func (l *Loop) Run(ctx context.Context) {
	began := l.cfg.Now()
	l.ticks = schedule.New(began, l.cfg.Period)
	l.expect(began, began)
	timer := l.cfg.NewTimer(0)
	defer timer.Stop()
	done := ctx.Done()
	for {
		select {
		case <-done:
			return
		case <-l.wake:
		case <-timer.C():
		}
		select { // the end has priority
		case <-done:
			return
		default:
		}
		now := l.doDue(l.cfg.Now())
		next := l.due(now)
		timer.Reset(next.Sub(now))
		l.expect(now, next)
	}
}

// wakeUp makes the loop check whether something is due. It is safe for concurrent use and does not block.
func (l *Loop) wakeUp() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
	if l.cfg.Woken != nil {
		l.cfg.Woken()
	}
}

// doDue performs what is due at now: a control cycle, or else an exchange for a new command. end is the time when that
// was finished. Errors are counted and reported where they occur. It reads the clock as seldom as possible: on the
// robot that is a system call.
func (l *Loop) doDue(now time.Time) (end time.Time) {
	l.resume()
	end = now
	if l.ticks.Next.Sub(now) > l.cfg.Period { // the clock was set back
		l.ticks.Next = now
	}
	switch {
	case !now.Before(l.ticks.Next):
		end, _ = l.cycle(now)
		if missed := l.ticks.Advance(end); !l.link.lost {
			l.now.Overruns += uint64(missed)
		}
	case !l.link.lost && !now.Before(l.lastExtra.Add(MinCommandGap)) && l.target(now) != l.sent:
		l.lastExtra = now
		end, _ = l.exchange(now)
		l.post()
	}
	return end
}

// due returns the time at which doDue has work without a request, not before now: a time before now would make the
// guard consider the loop late.
func (l *Loop) due(now time.Time) time.Time {
	next := l.ticks.Next
	switch {
	case l.guard.alarm.Load():
		return now
	case l.link.lost:
		return next
	}
	timeout := time.Duration(l.timeout.Load())
	changed := l.target(now) != l.sent
	if end, ok := l.motion.deadline(timeout); ok && end.Before(next) {
		next = end
	}
	if free := l.lastExtra.Add(MinCommandGap); changed && free.Before(next) {
		next = free
	}
	if next.Before(now) {
		next = now
	}
	return next
}

// Cycle performs one control cycle now, for callers with their own timing instead of [Loop.Run]. The error is the
// exchange's.
func (l *Loop) Cycle() error {
	l.resume()
	_, err := l.cycle(l.cfg.Now())
	return err
}

// Serve performs what is due now, for callers with their own timing instead of [Loop.Run]: a control cycle, or else an
// exchange for a new command. The first call performs the first control cycle. next is the time at which something is
// due unless Config.Woken is called before.
func (l *Loop) Serve() (next time.Time) {
	now := l.cfg.Now()
	if !l.served {
		l.served = true
		l.ticks = schedule.New(now, l.cfg.Period)
	}
	select {
	case <-l.wake:
	default:
	}
	return l.due(l.doDue(now))
}
