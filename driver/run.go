// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

const (
	// helpersTime is how long Run waits for its helpers once the wheels are stopped.
	helpersTime = time.Second
	// emergencyTime is how long a panic elsewhere waits for the control loop to stop the wheels before it stops them
	// itself.
	emergencyTime = 100 * time.Millisecond
)

// Run drives the robot until ctx ends or [Driver.Close] is called, which return nil, or the loop can't continue: the
// ROS transport has failed, or a goroutine panicked. It can be called once. In every case it stops the wheels before it
// waits for anything else; if it could not confirm that they stopped, the error also matches [ErrNotStopped]. A
// goroutine that does not end in time is an error, too.
//
// While it runs, a panic in any goroutine started by package task also stops the wheels.
//
// A robot that does not answer does not end it: Run logs it once and retries at least once a second.
func (d *Driver) Run(ctx context.Context) (err error) {
	if err := d.life.Enter(); err != nil {
		return err
	}
	defer d.life.Leave(true)
	defer task.AtPanic(func(*task.Panic) { _ = d.loop.EmergencyStop(emergencyTime) })()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	helpers := d.startHelpers(ctx, end)
	err = d.drive(ctx)
	err = errors.Join(err, d.halt())
	end(nil)
	return errors.Join(err, d.awaitHelpers(helpers))
}

// drive runs the wheels' loop and returns why it ended.
func (d *Driver) drive(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v\n%s", errPanic, p, debug.Stack())
		}
	}()
	if err := d.runLoop(ctx, d.settings.Load().Thread); err != nil {
		return err
	}
	if why := context.Cause(ctx); errors.Is(why, errTransport) || errors.Is(why, errPanic) {
		return why
	}
	return nil
}

// startHelpers starts the other goroutines. Each may block or panic without affecting the wheels: a panic ends the
// loop, which stops them.
func (d *Driver) startHelpers(ctx context.Context, end context.CancelCauseFunc) *task.Group {
	g := &task.Group{Panicked: func(p *task.Panic) { end(fmt.Errorf("%w: %w", errPanic, p)) }}
	g.Go("guard of the wheels", func() { d.loop.Watch(ctx) })
	g.Go("end of the driver", func() { d.watchForEnd(ctx, end) })
	g.Go("log of the wheels", func() {
		d.logThread(ctx, d.settings.Load().Thread, d.log)
		d.logWheelEvents(ctx)
	})
	g.Go("parts and publishing", func() { d.pollAndPublish(ctx) })
	return g
}

// watchForEnd ends the loop when the driver is closed, the transport is lost or a picture goroutine panics.
func (d *Driver) watchForEnd(ctx context.Context, end context.CancelCauseFunc) {
	select {
	case <-ctx.Done():
	case <-d.life.Quit():
		end(errClosed)
	case err := <-d.fatal:
		end(err)
	case <-d.node.Done():
		end(fmt.Errorf("%w: %w", errTransport, d.node.Err()))
	}
}

// awaitHelpers waits for the helpers for a limited time: one that hangs must not keep the program from ending.
func (d *Driver) awaitHelpers(helpers *task.Group) error {
	timer := d.clock.NewTimer(helpersTime)
	defer timer.Stop()
	d.helpers = helpers.Done()
	select {
	case <-d.helpers:
		d.logPending()
		return nil
	case <-timer.C():
		return fmt.Errorf("%w: after %v", errHelper, helpersTime)
	}
}

// halt stops the wheels and returns an error if that could not be confirmed.
func (d *Driver) halt() error {
	if err := d.loop.Halt(); err != nil {
		return fmt.Errorf("%w: %w", ErrNotStopped, err)
	}
	return nil
}

// Step performs one control cycle now: exchange, odometry, publish; then it polls the parts that are due. It is for
// callers with their own timing, such as tests and benchmarks. The error matches mailbox.ErrRunning while Run is
// active, mailbox.ErrClosed after the driver has ended, else it is the exchange's.
func (d *Driver) Step() error {
	if err := d.life.Enter(); err != nil {
		return err
	}
	defer d.life.Leave(false)
	d.mailbox.Answer()
	err := d.loop.Cycle()
	d.logPending()
	d.turn(d.clock.Now(), false)
	for range stepPolls { // for parts that are starting
		now := d.clock.Now()
		polled := false
		for _, ro := range d.partSchedules() {
			polled = ro.PollFirst(now, now.Add(idle), idle) || polled
		}
		if !polled {
			break
		}
		d.publish(now, true)
	}
	return err
}

// Serve performs everything that is due now: a control cycle or an exchange for a new command, and with it the polls of
// parts and the messages that [Driver.Run] would have published by now. It is for callers with their own timing, such
// as a simulation, which calls it in each of its steps of at most a control period: no cycle is skipped, however long
// the caller takes. The first call performs the first cycle. next is the time at which it is to be called again, unless
// Config.Woken is called before; calls in between are harmless. A robot that does not answer is not an error; the error
// matches mailbox.ErrRunning while Run is active and mailbox.ErrClosed after the driver has ended. A panic in a
// goroutine of the pictures is an error, too.
func (d *Driver) Serve() (next time.Time, err error) {
	if err := d.life.Enter(); err != nil {
		return time.Time{}, err
	}
	defer d.life.Leave(false)
	if len(d.fatal) > 0 { // no other goroutine receives
		return time.Time{}, <-d.fatal
	}
	woken := d.mailbox.Woken()
	d.mailbox.Answer()
	next = d.loop.Serve()
	d.logPending()
	now := d.clock.Now()
	for range stepPolls {
		if !d.turn(now, woken) {
			break
		}
		now = d.clock.Now()
	}
	if due := d.due(now); due.Before(next) {
		next = due
	}
	return next, nil
}

// stepPolls is the maximum number of polls of one Step or Serve in case the clock does not advance.
const stepPolls = 16

// Close ends Run, waits until the wheels are stopped and closes the topics. It may be called more than once.
func (d *Driver) Close() error {
	first, ran := d.life.Shut()
	if !first {
		return nil
	}
	var err error
	if !ran {
		err = d.halt()
		d.logPending()
		d.haltParts()
	}
	return errors.Join(err, d.release())
}
