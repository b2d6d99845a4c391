// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// report publishes a functional robot's status on /diagnostics, once a second: that it exists, and at which level.
type report struct {
	f    *functional
	pub  *ros2.Publisher[diagnostic_msgs.DiagnosticArray]
	next time.Time
	m    diagnostic_msgs.DiagnosticArray
}

// newReport creates the publisher.
func newReport(f *functional) (*report, error) {
	rows := table.Topics()
	row := rows[slices.IndexFunc(rows, func(t table.Topic) bool { return t.Name == table.TopicDiag })]
	pub, err := ros2.NewPublisher[diagnostic_msgs.DiagnosticArray](f.node, row.Name, row.QoS)
	if err != nil {
		return nil, fmt.Errorf("fleet: %s: %w", row.Name, err)
	}
	return &report{f: f, pub: pub}, nil
}

// publish publishes the report if it is due and there is a subscriber.
func (r *report) publish(now time.Time) error {
	if now.Before(r.next) || !r.pub.HasSubscribers() {
		return nil
	}
	r.next = now.Add(time.Second)
	voltage := 0.0
	r.f.simulated.Do(func(c *sim.Control) { voltage = c.MeasuredVoltage() })
	r.m.Header.Stamp = builtin_interfaces.TimeOf(now)
	r.m.Status = append(r.m.Status[:0], diagnostic_msgs.DiagnosticStatus{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: r.f.node.Name().FullName() + ": robot", HardwareID: r.f.simulated.Name(),
		Message: "simulated at the functional level: no chips, no bus",
		Values: []diagnostic_msgs.KeyValue{
			{Key: "rate (Hz)", Value: fmt.Sprintf("%.1f", 1/r.f.set.Period.Seconds())},
			{Key: "battery (V)", Value: fmt.Sprintf("%.2f", voltage)},
		},
	})
	return r.pub.Publish(&r.m)
}

// close closes the publisher.
func (r *report) close() error {
	if r == nil {
		return nil
	}
	return r.pub.Close()
}
