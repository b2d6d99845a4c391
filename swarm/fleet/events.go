// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// remote tells of the keys of a TV remote control, when they are pressed. The firmware marks the extended ones.
type remote struct {
	topic[std_msgs.UInt8, *std_msgs.UInt8]
	told uint64
}

// extendedRemote is what the driver's topic has instead of bit 6 of an extended code.
const extendedRemote = 0x80

func offerRemote(n *ros2.Node, row table.Topic, name string) (output, error) {
	pub, err := ros2.NewPublisher[std_msgs.UInt8](n, name, row.QoS)
	if err != nil {
		return nil, err
	}
	return &remote{topic: topic[std_msgs.UInt8, *std_msgs.UInt8]{pub: pub}}, nil
}

// measure implements output.
func (r *remote) measure(c *sim.Control, l *reading) { l.remote, l.presses = c.Remote() }

// publish implements output.
func (r *remote) publish(f *functional) error {
	if f.latest.presses == r.told {
		return nil
	}
	r.told = f.latest.presses
	r.m.Data = f.latest.remote
	if r.m.Data >= 64 {
		r.m.Data = r.m.Data&63 | extendedRemote
	}
	return r.pub.Publish(&r.m)
}

// health is a robot's part in /diagnostics, once a second: that it is there, and of what level.
type health struct {
	topic[diagnostic_msgs.DiagnosticArray, *diagnostic_msgs.DiagnosticArray]
	next time.Time
}

func offerDiagnostics(n *ros2.Node, row table.Topic, name string) (output, error) {
	pub, err := ros2.NewPublisher[diagnostic_msgs.DiagnosticArray](n, name, row.QoS)
	if err != nil {
		return nil, err
	}
	return &health{topic: topic[diagnostic_msgs.DiagnosticArray, *diagnostic_msgs.DiagnosticArray]{pub: pub}}, nil
}

// measure implements output.
func (h *health) measure(c *sim.Control, l *reading) { l.voltage = c.Voltage() }

// publish implements output.
func (h *health) publish(f *functional) error {
	now := f.latest.stamp
	if now.Before(h.next) {
		return nil
	}
	h.next = now.Add(time.Second)
	h.m.Header.Stamp = stamp(now)
	h.m.Status = append(h.m.Status[:0], diagnostic_msgs.DiagnosticStatus{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: f.node.Name().FullName() + ": robot", HardwareID: f.agent.Name(),
		Message: "simulated at the functional level: no chips, no bus",
		Values: []diagnostic_msgs.KeyValue{
			{Key: "rate (Hz)", Value: fmt.Sprintf("%.1f", 1/f.set.period.Seconds())},
			{Key: "battery (V)", Value: fmt.Sprintf("%.2f", f.latest.voltage)},
		},
	})
	return h.pub.Publish(&h.m)
}
