// SPDX-License-Identifier: Apache-2.0

package order

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/goid"
)

// run runs the events of one tag and delivers their messages.
func (c *Coordinator) run(batch []*event) {
	if !c.cfg.Parallel || len(batch) == 1 {
		for _, e := range batch {
			c.deliver(e, c.perform(e))
		}
		return
	}
	outputs := make([][]output, len(batch))
	var group task.Group
	for _, members := range byGroup(batch) {
		group.Go("callbacks in parallel", func() {
			for _, i := range members {
				outputs[i] = c.perform(batch[i])
			}
		})
	}
	group.Wait()
	for i, e := range batch {
		c.deliver(e, outputs[i])
	}
}

// byGroup returns the events of each group, in their order.
func byGroup(batch []*event) (all [][]int) {
	known := make(map[*Group]int)
	for i, e := range batch {
		k, ok := known[e.source.group]
		if !ok {
			k = len(all)
			known[e.source.group] = k
			all = append(all, nil)
		}
		all[k] = append(all[k], i)
	}
	return all
}

// deliver delivers the messages of a callback, and records it.
func (c *Coordinator) deliver(e *event, outputs []output) {
	c.mu.Lock()
	c.deliverer = goid.Current()
	c.mu.Unlock()
	r := Run{Tag: e.tag, Source: e.source.source, Outside: e.outside}
	if e.outside {
		r.Got = uint64(e.got)
	}
	for _, o := range outputs {
		o.deliver()
		if o.topic != "" {
			r.Sent = append(r.Sent, Sent{o.topic, o.sum})
		}
	}
	c.mu.Lock()
	c.deliverer = 0
	c.compareLocked(e.want, &r)
	if c.shared != alone && e.source.number > 0 {
		c.runs = append(c.runs, r)
	}
	c.mu.Unlock()
	if c.cfg.Record != nil && e.source.number > 0 {
		c.cfg.Record(r)
	}
}

// Waits describes callbacks that take longer than the limit, as in "timer control of /a, 7s".
func (c *Coordinator) Waits() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []string
	if age := time.Since(c.lacksSince); c.lacks > 0 && age >= c.cfg.Limit {
		all = append(all, fmt.Sprintf("a message for %s, %v", c.inbox.nameOf(c.lacks), age.Truncate(time.Second)))
	}
	for _, f := range c.fibers {
		if f.event == nil || f.waits {
			continue
		}
		if age := time.Since(f.begun); age >= c.cfg.Limit {
			s := f.event.source.source
			all = append(all, fmt.Sprintf("%v %s of %s, %v", s.Kind, s.Name, s.Node.FullName(), age.Truncate(time.Second)))
		}
	}
	return all
}
