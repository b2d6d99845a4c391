// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"time"
)

// idle is how long a loop sleeps when nothing is due.
const idle = time.Minute

// maxCycleWait is how long the parts keep the bus free for a control cycle that is late.
const maxCycleWait = 50 * time.Millisecond

// pollAndPublish is the goroutine of parts and publishing; each control cycle wakes it. It takes the loop's reading,
// polls the parts that are due with the cycle, and publishes everything in one batch. It uses its own timer only for
// parts that can't wait for the next cycle. It may block without affecting the wheels. When the context ends it
// switches the parts off.
func (d *Driver) pollAndPublish(ctx context.Context) {
	defer d.haltParts()
	timer := d.newTimer(idle)
	defer timer.Stop()
	armed := false // for less than a minute
	for {
		woken := false
		select {
		case <-ctx.Done():
			return
		case <-d.loop.News():
		case <-d.mailbox.Wake():
			woken = true
		case <-timer.C():
			armed = false
		}
		d.mailbox.Answer()
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

// turn takes the latest reading, polls the parts that are due (with a control cycle all of them, else those that can't
// wait for one), and publishes what is new. woken is whether a part may have unplanned work. It reports whether a part
// was polled, which takes time.
func (d *Driver) turn(now time.Time, woken bool) (polled bool) {
	b := &d.bus
	news, cycle := d.takeReading()
	limit := b.nextCycle(now)
	d.replan(woken)
	for _, ro := range d.partSchedules() {
		switch {
		case cycle:
			polled = ro.PollAll(now, b.used.Period) || polled
		case limit.After(now):
			every := b.used.Period
			if woken { // polls parts that usually wait for the cycle, too
				every = idle
			}
			polled = ro.PollFirst(now, limit, every) || polled
		}
	}
	if cycle {
		d.names.Check(now, d.types.Check(now))
		if d.wall != nil {
			d.wall.Check()
		}
	}
	if b.share = cycle && b.wheels.Answered; b.share || polled || cycle && d.diagnostics.report.Due(now, b.used.Period/2) {
		d.publish(now, polled)
	}
	if news {
		d.status.post(b)
	}
	if cycle {
		d.onCycle(b.wheels.Answered)
	}
	return polled
}

// replan makes the schedules of the parts ask again which parts are due if that may have changed since the last turn.
func (d *Driver) replan(woken bool) {
	b := &d.bus
	demand, atRest := d.demand.Load(), d.atRest()
	if atRest != b.atRest && b.imu != nil {
		b.parts.Replan()
		if !atRest {
			b.imu.Moved()
		}
	}
	if woken || demand != b.demand || d.mailbox.Waiting() {
		b.parts.Replan()
		d.board.parts.Replan()
	}
	b.demand, b.atRest = demand, atRest
}

// publish sends in one batch what is new: the robot's reading if it is to be shared, the parts' measurements, and the
// diagnostics when they are due. polled is whether there may be measurements.
func (d *Driver) publish(now time.Time, polled bool) {
	b := &d.bus
	b.publishing = now
	if b.share {
		d.prepare()
	}
	if d.outputs.Wanted() || polled || d.diagnostics.out.Wanted() {
		d.node.Batch(b.publish)
	} else {
		d.publishBatch() // hardly anything
	}
	if b.share {
		b.reading.First = false
	}
}

// publishBatch is the content of publish's batch.
func (d *Driver) publishBatch() {
	b := &d.bus
	if b.share {
		d.publishAll(d.outputs.Due(), &b.reading)
	}
	for _, ro := range d.partSchedules() {
		ro.publish()
	}
	d.publishDiagnostics(b.publishing)
}

// due returns the time at which pollAndPublish has work before the next control cycle wakes it.
func (d *Driver) due(now time.Time) time.Time {
	limit := d.bus.nextCycle(now)
	if !limit.After(now) {
		return d.bus.wheels.Next.Add(maxCycleWait)
	}
	next := now.Add(idle)
	for _, ro := range d.partSchedules() {
		if at := ro.Due(now, limit, d.bus.used.Period); at.Before(limit) && at.Before(next) {
			next = at
		}
	}
	return next
}

// nextCycle returns the time before which a poll must end; it is now if the wheels need the bus.
func (b *busState) nextCycle(now time.Time) time.Time {
	switch next := b.wheels.Next; {
	case next.After(now):
		return next
	case now.Sub(next) < maxCycleWait:
		return now
	}
	return now.Add(idle)
}
