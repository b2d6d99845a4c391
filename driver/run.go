// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// minCommandGap is the least time between the starts of two exchanges that are made only for a command. It leaves the
// bus to others: at 50 exchanges of 6.2 ms a second two thirds of it, whatever rate cmd_vel comes at.
const minCommandGap = 20 * time.Millisecond

// Run drives the robot until ctx ends or [Driver.Close] is called, which give nil, or the loop can't go on, which gives
// [ErrTransport] or [ErrPanic]. It can be called once. In every case the wheels are stopped before it returns, and if
// that could not be shown the error also matches [ErrNotStopped].
//
// A robot that does not answer does not end it: Run says so once and tries again, at most a second apart.
func (d *Driver) Run(ctx context.Context) (err error) {
	if err := d.life.enter(); err != nil {
		return err
	}
	defer d.life.leave(true)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v\n%s", ErrPanic, p, debug.Stack())
		}
		err = errors.Join(err, d.halt())
	}()
	return d.loop(ctx)
}

// Step makes one control cycle now: exchange, odometry, publish. It is for those who keep the time themselves, such as
// tests and benchmarks; [ErrRunning] tells that Run does. The error is the exchange's.
func (d *Driver) Step() error {
	if err := d.life.enter(); err != nil {
		return err
	}
	defer d.life.leave(false)
	defer d.status.post(&d.bus)
	return d.cycle(d.clock.Now())
}

// Close ends Run, waits until the wheels stand and withdraws the topics. Closing twice is harmless.
func (d *Driver) Close() error {
	first, ran := d.life.shut()
	if !first {
		return nil
	}
	var err error
	if !ran {
		err = d.halt()
	}
	return errors.Join(err, d.release())
}

// loop serves the bus whenever something is due or somebody wakes it.
func (d *Driver) loop(ctx context.Context) error {
	d.bus.ticks = newSchedule(d.clock.Now(), d.settings.Load().period)
	timer := d.clock.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-d.life.quit:
			return nil
		case <-d.node.Done():
			return fmt.Errorf("%w: %w", ErrTransport, d.node.Err())
		case <-d.wake:
		case <-timer.C():
		}
		d.serve(d.clock.Now())
		timer.Reset(d.due().Sub(d.clock.Now()))
	}
}

// nudge makes the loop look whether something is due. It never blocks.
func (d *Driver) nudge() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// serve does what is due at now: a control cycle, or else an exchange for a command that is new.
func (d *Driver) serve(now time.Time) {
	b := &d.bus
	switch {
	case b.link.lost:
		if !now.Before(b.link.due(now)) {
			_ = d.cycle(now) // counted and told where it happens
			b.ticks = newSchedule(d.clock.Now(), b.ticks.period)
			b.ticks.advance(d.clock.Now())
		}
	case !now.Before(b.ticks.next):
		_ = d.cycle(now)
		b.overruns += uint64(b.ticks.advance(d.clock.Now()))
	case !now.Before(b.lastExtra.Add(minCommandGap)) && d.target(now) != b.sent:
		b.lastExtra = now
		_ = d.exchange(now)
	}
	d.status.post(b)
}

// due gives the time at which serve has something to do if nothing new comes.
func (d *Driver) due() time.Time {
	b, now := &d.bus, d.clock.Now()
	if b.link.lost {
		return b.link.due(now)
	}
	next := b.ticks.next
	if end, ok := d.motion.deadline(d.settings.Load().timeout); ok && end.Before(next) {
		next = end
	}
	if d.target(now) != b.sent {
		if free := b.lastExtra.Add(minCommandGap); free.Before(next) {
			next = free
		}
	}
	return next
}

// halt stops the wheels and shows that they stand, or tries to for the time configured. A robot that was never told to
// move is told to stand, but if it does not answer that is no failure.
func (d *Driver) halt() error {
	d.motion.stop(true)
	end := d.clock.Now().Add(d.stop)
	var pause ros2.Timer
	for {
		err := d.haltOnce()
		if err == nil || !d.bus.moved {
			return nil
		}
		if !d.clock.Now().Before(end) {
			d.log.Error("the wheels may still turn: switch the robot off", "error", err)
			return fmt.Errorf("%w: %w", ErrNotStopped, err)
		}
		if pause == nil {
			pause = d.clock.NewTimer(minCommandGap)
			defer pause.Stop()
		} else {
			pause.Reset(minCommandGap)
		}
		<-pause.C()
	}
}

// haltOnce makes one attempt; a bus that panics fails it like one that returns an error.
func (d *Driver) haltOnce() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrPanic, p)
		}
	}()
	return d.dev.Halt()
}
