// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// simTime holds the time that /clock told last, in nanoseconds. It is safe for concurrent use.
type simTime struct{ ns atomic.Int64 }

// subscribe follows /clock, with the quality of service of rclcpp's time source.
func (s *simTime) subscribe(n *ros2.Node) (input, error) {
	row := Topic{QoS: newest().WithReliability(ros2.BestEffort)}
	return listen(n, row, "/clock", func(m *rosgraph_msgs.Clock) {
		s.ns.Store(int64(m.Clock.Sec)*int64(time.Second) + int64(m.Clock.Nanosec))
	})
}

// stamp gives the stamp of something measured at t: t itself, or what /clock says now if the time is simulated, which is
// zero until /clock was heard.
//
// Only stamps follow /clock. The control loop and the time-outs keep to the machine's clock: a simulated clock that
// stands still must not keep the wheels turning.
func (d *Driver) stamp(t time.Time) builtin_interfaces.Time {
	if !d.settings.Load().simTime {
		return builtin_interfaces.TimeOf(t)
	}
	ns := d.sim.ns.Load()
	return builtin_interfaces.Time{Sec: int32(ns / int64(time.Second)), Nanosec: uint32(ns % int64(time.Second))}
}
