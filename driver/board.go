// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
)

// boardState is what the goroutine knows that owns the bus of the Pi-puck board and reads the battery's files. Nobody else
// touches it.
type boardState struct {
	meter   *i2c.Meter // around the bus; nil without one
	parts   roster
	reading reading
	leds    *pipuck.Dev   // set by subscriptions; nil without a bus
	wake    chan struct{} // holds one wish to look at them
}

// bus gives the bus, nil if there is none.
func (b *boardState) bus() pi2c.Bus {
	if b.meter == nil {
		return nil
	}
	return b.meter
}

// idle is how long a loop sleeps that has nothing to do.
const idle = time.Minute

// tend serves the parts of the board until the context ends.
func (d *Driver) tend(ctx context.Context) {
	ro := &d.board.parts
	if len(ro.slots) == 0 {
		return
	}
	d.every(ctx, d.board.wake, func(now time.Time) time.Time {
		if d.servePart(ro, now, now.Add(idle)) {
			now = d.clock.Now()
		}
		return ro.due(now, now.Add(idle))
	})
}

// every calls serve until the context ends, each time at the time the call before gave, or when it is woken.
func (d *Driver) every(ctx context.Context, wake <-chan struct{}, serve func(now time.Time) time.Time) {
	timer := d.clock.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-timer.C():
		}
		next := serve(d.clock.Now())
		timer.Reset(next.Sub(d.clock.Now()))
	}
}

// guarded runs a helper of the control loop and hands a panic to the loop, which stops the wheels.
func (d *Driver) guarded(ctx context.Context, work func(context.Context)) {
	defer func() {
		if p := recover(); p != nil {
			d.fatal <- fmt.Errorf("%w: %v\n%s", ErrPanic, p, debug.Stack())
		}
	}()
	work(ctx)
}
