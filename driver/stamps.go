// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// simTime is the time that /clock tells. It is safe for concurrent use; the zero value heard nothing.
type simTime struct {
	ns atomic.Int64 // as told last, in nanoseconds

	mu     sync.Mutex
	clock  input // the subscription
	closed bool
}

// follow subscribes to /clock, with the quality of service of rclcpp's time source. It does nothing the second time.
func (s *simTime) follow(n *ros2.Node) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.clock != nil {
		return nil
	}
	row := Topic{QoS: newest().WithReliability(ros2.BestEffort)}
	s.clock, err = listen(n, row, "/clock", func(m *rosgraph_msgs.Clock) {
		s.ns.Store(int64(m.Clock.Sec)*int64(time.Second) + int64(m.Clock.Nanosec))
	})
	return err
}

func (s *simTime) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.clock == nil {
		return nil
	}
	return s.clock.Close()
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
