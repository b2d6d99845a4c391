// SPDX-License-Identifier: Apache-2.0

package driver

import "time"

// cycle is one control cycle: exchange, odometry, publish.
func (d *Driver) cycle(now time.Time) error {
	b := &d.bus
	err := d.exchange(now)
	if err == nil {
		d.share()
	}
	b.busy = d.clock.Now().Sub(now)
	b.longest = max(b.longest, b.busy)
	d.onCycle(err == nil)
	return err
}

// share publishes the present reading in one batch.
func (d *Driver) share() {
	b := &d.bus
	r := &b.reading
	r.period = 0
	if !b.published.IsZero() {
		r.period = b.taken.Sub(b.published).Seconds()
	}
	b.published = b.taken
	age := b.taken.Sub(r.tof.at)
	r.ahead = age >= 0 && age <= tofStale
	d.node.Batch(b.publish)
	r.first = false
}

// publishAll publishes a reading on outputs.
func (d *Driver) publishAll(outputs []output, r *reading) {
	for _, o := range outputs {
		if err := o.publish(r); err != nil {
			d.refused.Add(1)
			if d.refusals.allow(d.clock.Now()) {
				d.log.Warn("a message was not published", "error", err)
			}
		}
	}
}
