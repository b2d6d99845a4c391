// SPDX-License-Identifier: Apache-2.0

package order

import (
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/goid"
)

// role is what a coordinator is in an application of several processes.
type role uint8

const (
	alone role = iota
	leads
	partakes
)

// receive takes in something from outside the process: in an application of several it waits for its turn.
func (c *Coordinator) receive(endpoint int, payload []byte, open func(payload []byte, number int64)) {
	c.mu.Lock()
	held := c.shared != alone && endpoint > 0
	c.mu.Unlock()
	if !held {
		open(payload, 0)
		return
	}
	c.inbox.hold(letter{endpoint: endpoint, sum: wire.SumOf(payload), payload: slices.Clone(payload), open: open})
}

// noteSend is told of what leaves the process. What a member sends in no callback is not part of the order.
func (c *Coordinator) noteSend(s wire.Send) {
	id := goid.Current()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shared == leads || c.shared == partakes && c.deliverer == id {
		c.sends = append(c.sends, s)
	}
}

// share makes the coordinator one of several.
func (c *Coordinator) share(r role, news func()) {
	c.mu.Lock()
	c.shared = r
	c.mu.Unlock()
	c.inbox.mu.Lock()
	c.inbox.news = news
	c.inbox.mu.Unlock()
}

// nextTag returns the tag of the next event; false: there is none.
func (c *Coordinator) nextTag() (Tag, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.agenda) == 0 {
		return Tag{}, false
	}
	return c.agenda[0].tag, true
}

// pass lets the clock show at least a tag.
func (c *Coordinator) pass(to Tag) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now.Compare(to) < 0 {
		c.now = to
	}
}

// step lets messages arrive at a tag and runs what is due up to it.
func (c *Coordinator) step(at Tag, deliveries []wire.Delivery) error {
	c.advancing.Lock()
	defer c.advancing.Unlock()
	if at.Micro > 0 {
		c.pass(Tag{at.Time, at.Micro - 1})
	}
	for _, d := range deliveries {
		if err := c.arrive(d); err != nil {
			return err
		}
	}
	for {
		batch, err := c.dueAt(at)
		if err != nil || batch == nil {
			return err
		}
		c.run(batch)
	}
}

// arrive waits for a message and hands it to its callback, which is then due.
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
	if ok {
		l.open(l.payload, d.Number)
	}
	c.mu.Lock()
	c.deliverer = 0
	c.mu.Unlock()
	return nil
}

// dueAt takes the events up to a tag; they run at it.
func (c *Coordinator) dueAt(at Tag) (batch []*event, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil, ErrClosed
	}
	c.now = at
	for len(c.agenda) > 0 && c.agenda[0].tag.Compare(at) <= 0 {
		e := c.agenda.pop()
		e.tag = at
		batch = append(batch, e)
	}
	slices.SortStableFunc(batch, (*event).compare)
	return batch, nil
}

// reap returns what ran and what was sent since the last time.
func (c *Coordinator) reap() ([]Run, []wire.Send) {
	c.mu.Lock()
	defer c.mu.Unlock()
	runs, sends := c.runs, c.sends
	c.runs, c.sends = nil, nil
	return runs, sends
}
