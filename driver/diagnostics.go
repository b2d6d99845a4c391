// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// diagnostics publishes the robot's /diagnostics. It belongs to one goroutine.
type diagnostics struct {
	out    *table.Feed[diagnostic_msgs.DiagnosticArray]
	report *health.Report
}

// open creates the topic.
func (g *diagnostics) open(d *Driver) (err error) {
	rows := table.Topics()
	row := rows[slices.IndexFunc(rows, func(t table.Topic) bool { return t.Name == table.TopicDiag })]
	g.out, err = table.NewFeed[diagnostic_msgs.DiagnosticArray](d.node, row, row.Name, unbuilt)
	if err != nil {
		return err
	}
	d.offered.add([]table.Output{g.out})
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
	return g.out.Close()
}

// unbuilt is the builder of a message that is not built from readings.
func unbuilt(*diagnostic_msgs.DiagnosticArray, *table.Reading) bool { return false }

// publishDiagnostics publishes the diagnostics if they are due with this control cycle.
func (d *Driver) publishDiagnostics(now time.Time) {
	g := &d.diagnostics
	if !g.report.Due(now, d.bus.used.Period/2) {
		return
	}
	g.report.Advance(now)
	if !g.out.Wanted() || !g.report.Sample(now) {
		return
	}
	m := &g.out.Msg
	m.Header.Stamp = d.stamp(now)
	g.report.Write(m)
	if err := g.out.Send(); err != nil {
		d.refused.Add(1)
		if d.refusals.Allow(now) {
			d.log.Warn("can't publish a message", "error", err)
		}
	}
}

// sample takes a snapshot. It may be called from any goroutine.
func (d *Driver) sample(s *health.Snapshot) {
	d.statusInto(&s.Robot)
	b := d.battery.Get()
	s.Battery, s.Level, s.Processor = b.Reading, b.Level, d.devices.Name
	if stats := d.devices.RobotBus; stats != nil {
		busy, longest := d.status.exchanges()
		s.Bus, s.HasBus = stats(), true
		addExchanges(&s.Bus, &s.Robot.Bus, busy, longest)
	}
	if stats := d.devices.BoardBus; stats != nil {
		s.Board, s.HasBoard = stats(), true
	}
	s.Network = s.Network[:0]
	if t, ok := d.node.Transport().(ros2.CountingTransport); ok {
		s.Network = t.Counters(s.Network)
	}
	if t, ok := d.node.Transport().(ros2.SecuredTransport); ok {
		s.Security = t.Security()
	}
	if d.pictures != nil {
		s.Camera, s.HasCamera = d.pictures.Status(), true
	}
}

// addExchanges adds the main processor's transactions to those of the parts on the same bus.
func addExchanges(s *i2c.Stats, c *mcu.Stats, busy, longest time.Duration) {
	s.Transactions += c.Transactions
	for i, n := range c.BusErrors {
		s.Errors[i] += n
	}
	good := c.Transactions - c.BusErrorTotal()
	s.Written, s.Read = s.Written+good*mcu.CommandSize, s.Read+good*mcu.SensorsSize
	s.Busy, s.Longest = s.Busy+busy, max(s.Longest, longest)
	if s.LastErr == nil && c.BusErrorTotal() > 0 {
		s.LastErr = c.LastErr
	}
}
