// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"time"
)

// idle is how long a loop sleeps that has nothing to do.
const idle = time.Minute

// cyclePatience is how long the parts wait for a control cycle that is late, so as not to take the bus from it.
const cyclePatience = 50 * time.Millisecond

// tend is what goes on beside the wheels' loop: each control cycle wakes it. It takes what the loop has read, polls the
// parts that are due with the cycle, and publishes all of that in one batch. It has a timer of its own only for parts
// that can't wait for the next cycle. It may block anywhere without harm to the wheels. When the context ends it
// switches the parts off.
func (d *Driver) tend(ctx context.Context) {
	defer d.haltParts()
	timer := d.newTimer(idle)
	defer timer.Stop()
	armed := false // for sooner than a minute
	for {
		woken := false
		select {
		case <-ctx.Done():
			return
		case <-d.loop.News():
		case <-d.asks.Wake():
			woken = true
		case <-timer.C():
			armed = false
		}
		d.asks.Answer()
		now := d.clock.Now()
		if d.turn(now, woken) {
			now = d.clock.Now()
		}
		if wait := d.due(now).Sub(now); wait < idle {
			timer.Reset(wait)
			armed = true
		} else if armed {
			timer.Reset(idle)
			armed = false
		}
	}
}

// turn hears the wheels' loop, polls the parts that are due, all of them with a control cycle and else those that can't
// wait for one, and publishes what is new. woken tells that a part may have something to do that was not planned. It
// reports whether a part was polled, which takes time.
func (d *Driver) turn(now time.Time, woken bool) (polled bool) {
	b := &d.bus
	news, cycle := d.hear()
	limit := b.nextCycle(now)
	for _, ro := range d.rosters() {
		switch {
		case cycle:
			polled = ro.PollAll(now, b.used.Period) || polled
		case limit.After(now):
			every := b.used.Period
			if woken { // those that usually wait for the cycle don't
				every = idle
			}
			polled = ro.PollFirst(now, limit, every) || polled
		}
	}
	if cycle {
		d.watch.Check(now)
		d.names.Check(now)
		if d.wall != nil {
			d.wall.Check()
		}
	}
	if b.share = cycle && b.wheels.Answered; b.share || polled || cycle && d.diagnostics.report.Due(now, b.used.Period/2) {
		d.publish(now)
	}
	if news {
		d.status.post(b)
	}
	if cycle {
		d.onCycle(b.wheels.Answered)
	}
	return polled
}

// publish sends, in one batch, what is new: the robot's reading, if it is to be shared, what the parts have measured,
// and the diagnostics when they are due.
func (d *Driver) publish(now time.Time) {
	b := &d.bus
	b.publishing = now
	if b.share {
		d.prepare()
	}
	d.node.Batch(b.publish)
	if b.share {
		b.reading.First = false
	}
}

// publishBatch is what publish does in its batch.
func (d *Driver) publishBatch() {
	b := &d.bus
	if b.share {
		d.publishAll(d.outputs.Due(), &b.reading)
	}
	for _, ro := range d.rosters() {
		ro.publish()
	}
	d.publishDiagnostics(b.publishing)
}

// due gives the time at which tend has something to do before the next control cycle wakes it.
func (d *Driver) due(now time.Time) time.Time {
	limit := d.bus.nextCycle(now)
	if !limit.After(now) {
		return d.bus.wheels.Next.Add(cyclePatience)
	}
	next := now.Add(idle)
	for _, ro := range d.rosters() {
		if at := ro.Due(now, limit, d.bus.used.Period); at.Before(limit) && at.Before(next) {
			next = at
		}
	}
	return next
}

// nextCycle gives the time before which a poll is to end, now if the wheels have the bus.
func (b *busState) nextCycle(now time.Time) time.Time {
	switch next := b.wheels.Next; {
	case next.After(now):
		return next
	case now.Sub(next) < cyclePatience:
		return now
	}
	return now.Add(idle)
}
