// SPDX-License-Identifier: Apache-2.0

package health

import (
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/schedule"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
)

// period is the period of the diagnostics.
const period = time.Second

// Config is the configuration of a report.
type Config struct {
	// Node is the prefix of every status's name, without its leading slash.
	Node string
	// Transport describes the transport of the messages.
	Transport string
	// Sample fills in the current snapshot. It is called by the goroutine that owns the report.
	Sample func(s *Snapshot)
}

// Report builds the diagnostics: one status for the control loop, the network, each bus and each chip. It belongs to
// one goroutine.
type Report struct {
	sample    func(s *Snapshot)
	table     []Condition
	held      []*Condition // the conditions that are raised
	vitals    *vitals      // nil before the first snapshot, as table
	began     time.Time    // time of the earlier snapshot
	text      textArena
	next      schedule.Schedule
	transport string
}

// New returns a report whose first message is due a period after now. Its first snapshot is compared with a robot that
// has done nothing, as that of now is. It has little memory until that.
func New(cfg Config, now time.Time) *Report {
	r := &Report{sample: cfg.Sample, transport: cfg.Transport, began: now}
	r.text.prefix = strings.TrimPrefix(cfg.Node, "/") + ": "
	r.next = schedule.New(now.Add(period), period)
	return r
}

// Due reports whether the diagnostics are due at now or at most early later.
func (r *Report) Due(now time.Time, early time.Duration) bool {
	return !now.Before(r.next.Next.Add(-early))
}

// Advance schedules the next diagnostics, whether or not there is a subscriber.
func (r *Report) Advance(now time.Time) {
	if now.Before(r.next.Next) { // Due may be early
		now = r.next.Next
	}
	r.next.Advance(now)
}

// Sample takes a snapshot. It reports whether the previous one is about a period old: the first diagnostics for a new
// subscriber follow a second later.
func (r *Report) Sample(now time.Time) (comparable bool) {
	if r.vitals == nil {
		r.table, r.vitals = Conditions(), new(vitals)
	}
	r.vitals.before, r.vitals.now = r.vitals.now, r.vitals.before
	r.sample(&r.vitals.now)
	r.vitals.elapsed, r.began = now.Sub(r.began), now
	return r.vitals.elapsed > 0 && r.vitals.elapsed <= 2*period
}

// Write builds the statuses of a message from the last two snapshots. They are valid until the next call.
func (r *Report) Write(m *diagnostic_msgs.DiagnosticArray) {
	r.held = raised(r.table, r.vitals, r.held)
	t := &r.text
	t.reset()
	r.loop(t)
	r.network(t)
	r.security(t)
	r.buses(t)
	r.processor(t)
	for _, p := range r.vitals.now.Robot.Parts {
		r.part(t, p)
	}
	if r.vitals.now.HasCamera {
		r.camera(t)
	}
	m.Status = t.statuses(m.Status[:0], r.held)
}
