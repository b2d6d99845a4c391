// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/schedule"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// reportPeriod is how often diagnostics are published.
const reportPeriod = time.Second

// report publishes the diagnostics: one status for the control loop, the network, each bus and each chip. It belongs to
// one goroutine.
type report struct {
	out    *topic[diagnostic_msgs.DiagnosticArray]
	table  []Condition
	held   []*Condition // those raised
	vitals vitals
	began  time.Time // when the earlier snapshot was taken
	text   textArena
	next   schedule.Schedule
	at     reading // holds the stamp

	transport string // what messages travel by
}

// open offers the topic.
func (r *report) open(d *Driver) (err error) {
	row := publishedTopics()[0]
	for _, t := range publishedTopics() {
		if t.Name == topicDiag {
			row = t
		}
	}
	r.out, err = newTopic[diagnostic_msgs.DiagnosticArray](d.node, row, row.Name, r.build)
	if err != nil {
		return err
	}
	d.offered.add([]output{r.out})
	r.text.prefix = strings.TrimPrefix(d.node.FullName(), "/") + ": "
	r.table = Conditions()
	r.transport = "unnamed"
	if t, ok := d.node.Transport().(ros2.DescribedTransport); ok {
		r.transport = t.Description()
	}
	d.sample(&r.vitals.now)
	r.began = d.clock.Now()
	r.next = schedule.New(r.began.Add(reportPeriod), reportPeriod)
	return nil
}

func (r *report) close() error {
	if r.out == nil {
		return nil
	}
	return r.out.close()
}

// due reports whether the diagnostics are due at now, early by that at the most.
func (r *report) due(now time.Time, early time.Duration) bool {
	return !now.Before(r.next.Next.Add(-early))
}

// reportDue publishes the diagnostics if they are due with this control cycle. They compare with what was so a second
// before: who begins to listen gets them a second later.
func (d *Driver) reportDue(now time.Time) {
	r := &d.report
	if !r.due(now, d.bus.used.period/2) {
		return
	}
	done := now
	if done.Before(r.next.Next) { // it may be early
		done = r.next.Next
	}
	r.next.Advance(done)
	if !r.out.pub.HasSubscribers() {
		return
	}
	r.vitals.before, r.vitals.now = r.vitals.now, r.vitals.before
	d.sample(&r.vitals.now)
	r.vitals.elapsed, r.began = now.Sub(r.began), now
	if r.vitals.elapsed > 2*reportPeriod || r.vitals.elapsed <= 0 {
		return
	}
	r.at.stamp = d.stamp(now)
	if r.build(&r.out.msg, &r.at) {
		if err := r.out.send(); err != nil {
			d.refused.Add(1)
			if d.refusals.allow(now) {
				d.log.Warn("a message was not published", "error", err)
			}
		}
	}
}

// build fills in the message.
func (r *report) build(m *diagnostic_msgs.DiagnosticArray, at *reading) bool {
	m.Header.Stamp = at.stamp
	r.held = raised(r.table, &r.vitals, r.held)
	t := &r.text
	t.reset()
	r.loop(t)
	r.network(t)
	r.buses(t)
	r.processor(t)
	for _, p := range r.vitals.now.robot.Parts {
		r.part(t, p)
	}
	if r.vitals.now.hasCamera {
		r.camera(t)
	}
	m.Status = t.statuses(m.Status[:0], r.held)
	return true
}
