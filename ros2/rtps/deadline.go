// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/internal/alarm"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// deadline monitors the time between two samples of a writer or reader (DDS 1.4, 2.2.3.7), from the first one on. It
// covers topics without a key, which have one instance. Its alarm is set once per period, not for each sample. Guarded
// by Participant.mu.
type deadline struct {
	period time.Duration
	last   time.Time
	missed statusCount
	alarm  alarm.Alarm
}

// newDeadline returns the monitor of a DEADLINE policy, or nil if the policy is infinite or the topic keyed.
func newDeadline(d wire.Duration, keyed bool) *deadline {
	if keyed || d <= 0 || d.IsInfinite() {
		return nil
	}
	return &deadline{period: d.Duration()}
}

// sample records a sample. It does nothing if d is nil.
func (d *deadline) sample(p *Participant, now time.Time) {
	if d == nil {
		return
	}
	d.last = now
	if !d.alarm.Pending() {
		p.alarms.Set(&d.alarm, now.Add(d.period))
	}
}

// over reports whether a period has passed without a sample, and starts the next period.
func (d *deadline) over(p *Participant, now time.Time) bool {
	end := d.last.Add(d.period)
	missed := !end.After(now)
	if missed {
		d.last, end = now, now.Add(d.period)
	}
	p.alarms.Set(&d.alarm, end)
	return missed
}

// onDeadline is called when the writer may have missed its deadline.
func (w *Writer) onDeadline(now time.Time) {
	if w.deadline.over(w.p, now) {
		w.p.report(w.cfg.OnStatus, &w.deadline.missed, 1, StatusEvent{Kind: OfferedDeadlineMissed, Local: w.guid}, w.cfg.Topic)
	}
}

// onDeadline is called when the reader may have missed its deadline.
func (r *Reader) onDeadline(now time.Time) {
	if r.deadline.over(r.p, now) {
		r.p.report(r.cfg.OnStatus, &r.deadline.missed, 1, StatusEvent{Kind: RequestedDeadlineMissed, Local: r.guid}, r.cfg.Topic)
	}
}
