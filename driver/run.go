// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

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
		d.haltParts()
	}()
	return d.together(ctx)
}

// together runs the control loop and its helpers, and returns when all have ended.
func (d *Driver) together(ctx context.Context) error {
	helpers, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	group.Go(func() { d.guarded(helpers, d.tend) })
	group.Go(func() { d.guarded(helpers, func(ctx context.Context) { d.every(ctx, nil, d.reportDue) }) })
	return d.loop(ctx)
}

// Step makes one control cycle now: exchange, odometry, publish; then it polls the parts that are due. It is for those who keep the time themselves, such as
// tests and benchmarks; [ErrRunning] tells that Run does. The error is the exchange's.
func (d *Driver) Step() error {
	if err := d.life.enter(); err != nil {
		return err
	}
	defer d.life.leave(false)
	defer d.status.post(&d.bus)
	d.answerAsks()
	err := d.cycle(d.clock.Now())
	for _, ro := range d.rosters() {
		for range stepPolls {
			if now := d.clock.Now(); !d.servePart(ro, now, now.Add(idle)) {
				break
			}
		}
	}
	d.reportDue(d.clock.Now())
	return err
}

// stepPolls bounds the polls of one Step, should no time pass on the clock.
const stepPolls = 16

// Close ends Run, waits until the wheels stand and withdraws the topics. Closing twice is harmless.
func (d *Driver) Close() error {
	first, ran := d.life.shut()
	if !first {
		return nil
	}
	var err error
	if !ran {
		err = d.halt()
		d.haltParts()
	}
	return errors.Join(err, d.release())
}
