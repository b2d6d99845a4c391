// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// diagnostics publishes what is right and wrong with the robot. It belongs to one goroutine.
type diagnostics struct {
	out    *topic[diagnostic_msgs.DiagnosticArray]
	report *health.Report
	at     reading // holds the stamp
}

// open offers the topic.
func (g *diagnostics) open(d *Driver) (err error) {
	rows := publishedTopics()
	row := rows[slices.IndexFunc(rows, func(t Topic) bool { return t.Name == topicDiag })]
	g.out, err = newTopic[diagnostic_msgs.DiagnosticArray](d.node, row, row.Name, g.build)
	if err != nil {
		return err
	}
	d.offered.add([]output{g.out})
	transport := "unnamed"
	if t, ok := d.node.Transport().(ros2.DescribedTransport); ok {
		transport = t.Description()
	}
	g.report = health.New(health.Config{Node: d.node.FullName(), Transport: transport, Sample: d.sample}, d.clock.Now())
	return nil
}

func (g *diagnostics) close() error {
	if g.out == nil {
		return nil
	}
	return g.out.close()
}

func (g *diagnostics) build(m *diagnostic_msgs.DiagnosticArray, at *reading) bool {
	m.Header.Stamp = at.stamp
	g.report.Write(m)
	return true
}

// publishDiagnostics publishes the diagnostics if they are due with this control cycle.
func (d *Driver) publishDiagnostics(now time.Time) {
	g := &d.diagnostics
	if !g.report.Due(now, d.bus.used.period/2) {
		return
	}
	g.report.Advance(now)
	if !g.out.pub.HasSubscribers() || !g.report.Sample(now) {
		return
	}
	g.at.stamp = d.stamp(now)
	if !g.build(&g.out.msg, &g.at) {
		return
	}
	if err := g.out.send(); err != nil {
		d.refused.Add(1)
		if d.refusals.allow(now) {
			d.log.Warn("a message was not published", "error", err)
		}
	}
}
