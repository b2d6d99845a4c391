// SPDX-License-Identifier: Apache-2.0

package order

import (
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// replayLocked removes and returns the record's next event, and waits for it if it is caused from outside. After the
// end of the record the run continues normally.
func (c *Coordinator) replayLocked(until time.Duration) ([]*event, error) {
	if c.diverged != nil {
		return nil, c.diverged
	}
	want := &c.cfg.Replay[c.replayed]
	if e := c.events.first(func(e *event) bool {
		return e.source.number == 0 && e.tag.compare(want.Tag) <= 0 && e.tag.Time <= until
	}); e != nil {
		c.now = e.tag
		return []*event{e}, nil
	}
	if want.Tag.Time > until {
		if until > c.now.Time { // else the microstep stays: later events run after earlier ones
			c.now = Tag{Time: until}
		}
		return nil, nil
	}
	e, err := c.awaitLocked(want)
	if err != nil {
		c.diverged = err
		return nil, err
	}
	c.now, e.tag, e.want = want.Tag, want.Tag, want
	c.replayed++
	return []*event{e}, nil
}

// awaitLocked waits for the event of a run of the record.
func (c *Coordinator) awaitLocked(want *Run) (*event, error) {
	expired := false
	var limit *time.Timer
	for {
		e := c.events.first(func(e *event) bool {
			r := Run{Source: e.source.source}
			r.Got = uint64(e.got)
			return e.outside == want.Outside && r.who() == want.who() && r.gotLike(want) && (e.outside || e.tag == want.Tag)
		})
		switch {
		case e != nil:
			return e, nil
		case c.ended:
			return nil, ErrClosed
		case !want.Outside:
			return nil, fmt.Errorf("%w at %v: %s is not due", ErrDiverged, want.Tag, want.who())
		case expired:
			return nil, fmt.Errorf("%w at %v: no event arrived for %s in %v", ErrDiverged, want.Tag, want.who(), c.cfg.Limit)
		}
		if limit == nil {
			limit = task.AfterFunc(c.cfg.Limit, "limit of a replay", func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				expired = true
				c.arrived.Broadcast()
			})
			defer limit.Stop()
		}
		c.arrived.Wait()
	}
}

// compareLocked compares the messages that a callback sent with the record.
func (c *Coordinator) compareLocked(want, r *Run) {
	if want != nil && !want.same(r) {
		c.diverged = fmt.Errorf("%w: %s", ErrDiverged, Difference([]Run{*want}, []Run{*r}))
	}
}
