// SPDX-License-Identifier: Apache-2.0

package wheels

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/schedule"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// ErrConfig is matched when a [Config] lacks something.
var ErrConfig = errors.New("wheels: bad configuration")

// MinCommandGap is the least time between the starts of two exchanges that are made only for a command. It leaves the
// bus to others: at 50 exchanges of 6.2 ms a second two thirds of it at any rate of commands
// (TestFloodOfCommandsDoesNotStarveTheBus).
const MinCommandGap = 20 * time.Millisecond

// wordRoom is how many words may wait to be heard.
const wordRoom = 64

// Timer fires once after each start, as [time.Timer] does. What it sends is not looked at, and may be left from before
// the last start. It is stopped once, when it is not needed any more.
type Timer interface {
	C() <-chan time.Time
	Reset(d time.Duration) bool
	Stop() bool
}

// Config is what a loop is made of.
type Config struct {
	// Bus is the bus of the robot. It is required; the loop does not close it.
	Bus pi2c.Bus
	// Guard is the same bus, opened once more, for the guard. It defaults to Bus.
	Guard pi2c.Bus
	// Selector is the position of the robot's selector in which it answers. It defaults to that of a Pi-puck.
	Selector uint8
	// Period is the time from one control cycle to the next. It is required.
	Period time.Duration
	// StopTime is how long [Loop.Halt] goes on trying. It is required.
	StopTime time.Duration
	// Now and NewTimer are the clock. They are required and must not block.
	Now      func() time.Time
	NewTimer func(d time.Duration) Timer
}

// Loop drives one robot. [Loop.Run] does the work on one goroutine, [Loop.Watch] guards it on another; the methods that
// any goroutine may call say so.
type Loop struct {
	cfg   Config
	dev   *mcu.Dev // of the loop's goroutine alone, but for its counters
	guard guard
	epoch time.Time

	motion   motion
	lights   lights
	timeout  atomic.Int64  // ns
	melody   atomic.Uint32 // wanted; 0 none
	infrared atomic.Bool   // a calibration is wanted
	wake     chan struct{} // holds one wish to look at the others
	news     chan struct{} // holds one, that there is a reading which was not yet seen
	words    words
	slot     slot[Reading]

	// Of the loop's goroutine:
	now       Reading
	link      link
	ticks     schedule.Schedule
	sent      Speeds // of the last exchange that succeeded
	moved     bool   // a motion was sent to the robot, whether it arrived or not
	lastExtra time.Time
	turned    bool // the selector was turned in this exchange
	odd       bool // what can be said of the measurement itself has changed
	failed    bool // the last exchange did
	served    bool // Serve has been called
}

// New makes a loop; it makes no transaction. Errors match [ErrConfig].
func New(cfg Config) (*Loop, error) {
	switch {
	case cfg.Bus == nil:
		return nil, fmt.Errorf("%w: no bus", ErrConfig)
	case cfg.Period <= 0 || cfg.StopTime <= 0:
		return nil, fmt.Errorf("%w: period %v, stop time %v", ErrConfig, cfg.Period, cfg.StopTime)
	case cfg.Now == nil || cfg.NewTimer == nil:
		return nil, fmt.Errorf("%w: no clock", ErrConfig)
	}
	if cfg.Guard == nil {
		cfg.Guard = cfg.Bus
	}
	l := &Loop{
		cfg: cfg, epoch: cfg.Now(),
		wake: make(chan struct{}, 1), news: make(chan struct{}, 1), words: words{queue: make(chan Word, wordRoom)},
	}
	l.slot.init()
	l.ticks = schedule.New(l.epoch, cfg.Period)
	var err error
	if l.dev, err = mcu.New(cfg.Bus, &mcu.Opts{Now: cfg.Now, Selector: cfg.Selector, OnEvent: l.onEvent}); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if err := l.guard.init(l); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return l, nil
}

// Run exchanges commands for readings until ctx ends. It leaves the wheels as they are: the caller halts them. One
// goroutine calls it, once.
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
		select { // an end goes before everything
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

// Nudge makes the loop look whether something is due. Any goroutine may call it; it does not block.
func (l *Loop) Nudge() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// doDue does what is due at now: a control cycle, or else an exchange for a command that is new. end is when that was
// over. Errors are counted and told where they happen. It reads the clock as seldom as it can: on the robot that is a
// system call.
func (l *Loop) doDue(now time.Time) (end time.Time) {
	l.comeRound()
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

// due gives the time at which serve has something to do if nothing new comes: now, if it has at once. A time before now
// would look to the guard as if the loop were late.
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

// Cycle makes one control cycle now, for those who keep the time themselves instead of calling [Loop.Run]. The error is
// the exchange's.
func (l *Loop) Cycle() error {
	l.comeRound()
	_, err := l.cycle(l.cfg.Now())
	return err
}

// Serve does what is due now, for those who keep the time themselves instead of calling [Loop.Run]: a control cycle, or
// else an exchange for a command that is new. The first call makes the first control cycle.
func (l *Loop) Serve() {
	now := l.cfg.Now()
	if !l.served {
		l.served = true
		l.ticks = schedule.New(now, l.cfg.Period)
	}
	l.doDue(now)
}
