// SPDX-License-Identifier: Apache-2.0

package order

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Clock returns the logical clock, for ros2.NodeConfig. Its timers wake goroutines outside of the deterministic order;
// in callbacks use ros2.NewTicker and Node.Sleep.
func (c *Coordinator) Clock() ros2.Clock { return clock{c} }

type clock struct{ c *Coordinator }

func (k clock) Now() time.Time { return k.c.time() }

func (k clock) NewTimer(d time.Duration) ros2.Timer {
	t := &timer{c: k.c, ch: make(chan time.Time, 1)}
	t.Reset(d)
	return t
}

// timer is a source with at most one event, which is not recorded.
type timer struct {
	c    *Coordinator
	ch   chan time.Time
	next *event // guarded by the coordinator's lock
}

func (t *timer) C() <-chan time.Time { return t.ch }

func (t *timer) Reset(d time.Duration) bool {
	c := t.c
	c.mu.Lock()
	defer c.mu.Unlock()
	running := t.stopLocked()
	at := c.now.Time + max(0, d)
	if d <= 0 {
		t.ch <- c.beginning().Add(at)
		return running
	}
	e := &event{tag: Tag{Time: at}, source: &source{group: &Group{c}, source: ros2.CallbackSource{Name: "a timer"}}}
	e.call = func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if t.next == e {
			t.next = nil
			t.ch <- c.beginning().Add(at)
		}
	}
	t.next = e
	c.addLocked(e)
	return running
}

func (t *timer) Stop() bool {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	return t.stopLocked()
}

func (t *timer) stopLocked() bool {
	running := t.next != nil
	if e := t.next; e != nil {
		t.next = nil
		t.c.events.remove(func(o *event) bool { return o == e })
	}
	select {
	case <-t.ch:
		running = true
	default:
	}
	return running
}
