// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"fmt"
	"time"
)

// minCommandGap is the least time between the starts of two exchanges that are made only for a command. It leaves the
// bus to others: at 50 exchanges of 6.2 ms a second two thirds of it, whatever rate cmd_vel comes at.
const minCommandGap = 20 * time.Millisecond

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
		case err := <-d.fatal:
			return err
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

// serve does what is due at now: a control cycle, or else an exchange for a command that is new, or else a poll of a part.
func (d *Driver) serve(now time.Time) {
	b := &d.bus
	d.answerAsks()
	switch {
	case b.link.lost && !now.Before(b.link.due(now)):
		_ = d.cycle(now) // counted and told where it happens
		b.ticks = newSchedule(d.clock.Now(), b.ticks.period)
		b.ticks.advance(d.clock.Now())
	case b.link.lost:
		d.servePart(&b.parts, now, b.link.due(now))
	case !now.Before(b.ticks.next):
		_ = d.cycle(now)
		d.lookForOtherType(now)
		b.overruns += uint64(b.ticks.advance(d.clock.Now()))
	case !now.Before(b.lastExtra.Add(minCommandGap)) && d.target(now) != b.sent:
		b.lastExtra = now
		_ = d.exchange(now)
	default:
		d.servePart(&b.parts, now, b.ticks.next)
	}
	d.status.post(b)
}

// due gives the time at which serve has something to do if nothing new comes.
func (d *Driver) due() time.Time {
	b, now := &d.bus, d.clock.Now()
	if b.link.lost {
		return b.parts.due(now, b.link.due(now))
	}
	next := b.parts.due(now, b.ticks.next)
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
