// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
)

// ROSClock is ROS time: the node's clock or, while the node's parameter use_sim_time is true, the time of the topic
// /clock. Before the first message of /clock simulated time is the zero time, whose stamp is 0. Timers use the source
// that was active when they were started; simulated ones wait while simulated time is paused. It is safe for concurrent
// use.
//
// Code that must not pause with a simulation, such as a watchdog, uses [Node.Clock].
type ROSClock struct {
	node      *Node
	cancel    func()
	simulated atomic.Bool
	sim       *ManualClock
	changes   chan bool // the newest value of use_sim_time
	quit      chan struct{}
	worker    task.Group
	once      sync.Once
}

// clockQoS is the profile that rclcpp's time source requests: best effort, keep last 1.
func clockQoS() QoS { return QoS{Reliability: BestEffort, Depth: 1} }

// clockTopic is the topic of simulated time.
const clockTopic = "/clock"

// NewROSClock returns a clock that follows the node's use_sim_time and, while that is true, /clock. Close it before the
// node.
func NewROSClock(n *Node) (*ROSClock, error) {
	c := &ROSClock{node: n, sim: NewManualClock(time.Time{}), changes: make(chan bool, 1), quit: make(chan struct{})}
	c.cancel = n.params.OnChange(func(e ParameterEvent) {
		for _, p := range e.Changed {
			if p.Name == useSimTime.Name {
				c.request(p.Value.Bool())
			}
		}
	})
	v, err := n.Parameter(useSimTime.Name)
	if err != nil {
		c.cancel()
		return nil, err
	}
	var sub *Subscription[rosgraph_msgs.Clock]
	if v.Bool() {
		if sub, err = c.listen(); err != nil {
			c.cancel()
			return nil, err
		}
	}
	c.worker.Go("clock", func() { c.work(sub) })
	return c, nil
}

// request passes a new value of the parameter to the worker, so that setting it does not wait for the network.
func (c *ROSClock) request(simulated bool) {
	for {
		select {
		case c.changes <- simulated:
			return
		default:
		}
		select {
		case <-c.changes: // an older one not yet handled
		default:
		}
	}
}

// work subscribes to /clock while time is simulated.
func (c *ROSClock) work(sub *Subscription[rosgraph_msgs.Clock]) {
	defer func() {
		if sub != nil {
			c.stop(sub)
		}
	}()
	for {
		var simulated bool
		select {
		case <-c.quit:
			return
		case simulated = <-c.changes:
		}
		switch {
		case simulated && sub == nil:
			var err error
			if sub, err = c.listen(); err != nil {
				c.node.asyncLog.Error("cannot use simulated time", "error", err)
			}
		case !simulated && sub != nil:
			c.simulated.Store(false)
			c.stop(sub)
			sub = nil
		}
	}
}

// stop closes the subscription to /clock.
func (c *ROSClock) stop(sub io.Closer) {
	if err := sub.Close(); err != nil {
		c.node.asyncLog.Warn("the subscription of /clock was not closed", "error", err)
	}
}

// listen switches to simulated time, which is zero until the first message of /clock.
func (c *ROSClock) listen() (*Subscription[rosgraph_msgs.Clock], error) {
	c.sim.Set(time.Time{})
	sub, err := NewSubscription(c.node, clockTopic, clockQoS(), func(m *rosgraph_msgs.Clock, _ MessageInfo) {
		c.sim.Set(m.Clock.Time())
	}, InGroup(nil)) // independent of executors, so that a callback may wait for simulated time
	if err != nil {
		return nil, fmt.Errorf("simulated time: %w", err)
	}
	c.simulated.Store(true)
	return sub, nil
}

// Simulated reports whether the time is that of /clock.
func (c *ROSClock) Simulated() bool { return c.simulated.Load() }

// Now returns the current time of the active source.
func (c *ROSClock) Now() time.Time { return c.source().Now() }

// NewTimer returns a timer on the active source.
func (c *ROSClock) NewTimer(d time.Duration) Timer { return c.source().NewTimer(d) }

func (c *ROSClock) source() Clock {
	if c.simulated.Load() {
		return c.sim
	}
	return c.node.clock
}

// Close closes the subscriptions. The clock then keeps the last simulated time, or returns the node's time. Closing
// twice is harmless.
func (c *ROSClock) Close() {
	c.once.Do(func() {
		c.cancel()
		close(c.quit)
		c.worker.Wait()
	})
}
