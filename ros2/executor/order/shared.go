// SPDX-License-Identifier: Apache-2.0

package order

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/goid"
)

// role is the role of a coordinator in an application of several processes.
type role uint8

const (
	alone role = iota
	leads
	partakes
)

// receive handles a message from outside the process. In an application of several processes the inbox holds it until
// it is delivered.
func (c *Coordinator) receive(endpoint int, payload []byte, open func(payload []byte, number int64)) {
	c.mu.Lock()
	shared := c.shared != alone
	c.mu.Unlock()
	switch {
	case !shared:
		c.deliverOutside(wire.SumOf(payload), func() { open(payload, 0) })
		return
	case endpoint == 0:
		open(payload, 0)
		return
	}
	c.inbox.hold(heldMessage{endpoint: endpoint, sum: wire.SumOf(payload), payload: slices.Clone(payload), open: open})
}

// deliverOutside calls open for a message from outside; the resulting events refer to the message.
func (c *Coordinator) deliverOutside(sum wire.Sum, open func()) {
	id := goid.Current()
	c.mu.Lock()
	c.incoming[id] = sum
	c.mu.Unlock()
	open()
	c.mu.Lock()
	delete(c.incoming, id)
	c.mu.Unlock()
}

// recordSend records a message that the process sends. Those that a member sends outside of callbacks are not part of
// the order.
func (c *Coordinator) recordSend(s wire.Send) {
	id := goid.Current()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shared == leads || c.shared == partakes && c.deliverer == id {
		c.sends = append(c.sends, s)
	}
}

// share sets the coordinator's role among several.
func (c *Coordinator) share(r role, news func()) {
	c.mu.Lock()
	c.shared = r
	c.mu.Unlock()
	c.inbox.mu.Lock()
	c.inbox.notify = news
	c.inbox.mu.Unlock()
}

// nextTags returns the tag of the next event of the order, and of the next one from outside; nil if there is none.
func (c *Coordinator) nextTags() (next, came *Tag) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.events {
		of := &next
		if e.outside {
			of = &came
		}
		if *of == nil || e.tag.compare(**of) < 0 {
			tag := e.tag
			*of = &tag
		}
	}
	return next, came
}

// advanceTo advances the clock to at least a tag.
func (c *Coordinator) advanceTo(to Tag) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now.compare(to) < 0 {
		c.now = to
	}
}

// step delivers messages at a tag and runs the callbacks due up to it. With hold, only the admitted ones of the
// callbacks caused from outside run; step waits for these.
func (c *Coordinator) step(at Tag, deliveries []wire.Delivery, hold bool, admit []wire.Post) error {
	c.advancing.Lock()
	defer c.advancing.Unlock()
	if at.Micro > 0 {
		c.advanceTo(Tag{at.Time, at.Micro - 1})
	}
	for _, d := range deliveries {
		if err := c.arrive(d); err != nil {
			return err
		}
	}
	for i := range admit {
		c.admit(at, &admit[i])
	}
	for {
		batch, err := c.dueAt(at, hold)
		if err != nil || batch == nil {
			return err
		}
		c.run(batch)
	}
}

// arrive waits for a message and makes its callback due.
func (c *Coordinator) arrive(d wire.Delivery) error {
	id := goid.Current()
	c.mu.Lock()
	c.lacks, c.lacksSince = d.Endpoint, time.Now()
	c.mu.Unlock()
	l, ok, err := c.inbox.await(d)
	c.mu.Lock()
	c.lacks = 0
	if err != nil {
		c.mu.Unlock()
		return err
	}
	if !d.Outside {
		c.deliverer = id
	}
	c.mu.Unlock()
	switch {
	case ok && d.Outside:
		c.deliverOutside(d.Sum, func() { l.open(l.payload, d.Number) })
	case ok:
		l.open(l.payload, d.Number)
	}
	c.mu.Lock()
	c.deliverer = 0
	c.mu.Unlock()
	return nil
}

// dueAt removes and returns the events up to a tag, to run at it.
func (c *Coordinator) dueAt(at Tag, hold bool) (batch []*event, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil, ErrClosed
	}
	c.now = at
	if !hold {
		for len(c.events) > 0 && c.events[0].tag.compare(at) <= 0 {
			batch = append(batch, c.events.pop())
		}
	} else {
		is := func(e *event) bool { return e.tag.compare(at) <= 0 && (!e.outside || e.admitted || e.got != 0) }
		for e := c.events.first(is); e != nil; e = c.events.first(is) {
			batch = append(batch, e)
		}
	}
	for _, e := range batch {
		e.tag = at
	}
	slices.SortStableFunc(batch, (*event).compare)
	return batch, nil
}

// takeResults returns the runs and the messages sent since the last call.
func (c *Coordinator) takeResults() ([]Run, []wire.Send) {
	c.mu.Lock()
	defer c.mu.Unlock()
	runs, sends := c.runs, c.sends
	c.runs, c.sends = nil, nil
	return runs, sends
}

// admit waits, up to the limit, for a callback that is caused from outside without a message, and allows it to run. If
// it does not run, the record shows that.
func (c *Coordinator) admit(at Tag, want *wire.Post) {
	c.mu.Lock()
	defer c.mu.Unlock()
	expired := false
	limit := task.AfterFunc(c.cfg.Limit, "limit of a replay", func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		expired = true
		c.arrived.Broadcast()
	})
	defer limit.Stop()
	for !expired && !c.ended {
		e := c.events.first(func(e *event) bool {
			s := &e.source.source
			return e.outside && !e.admitted && s.Node.FullName() == want.Node && s.Kind.String() == want.Source && s.Name == want.Name
		})
		if e != nil {
			e.admitted, e.tag = true, at
			c.events.push(e)
			return
		}
		c.arrived.Wait()
	}
}
