// SPDX-License-Identifier: Apache-2.0

package order

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/goid"
)

// Errors of a coordinator.
var (
	// ErrClosed says that the coordinator has ended.
	ErrClosed = errors.New("order: the coordinator has ended")
	// ErrRecord says that a record of an order can't be read.
	ErrRecord = errors.New("order: record")
	// ErrDiverged says that a run does not follow the record that it is to repeat.
	ErrDiverged = errors.New("order: the run leaves its record")
)

// Config says how a [Coordinator] works. Its zero value is usable.
type Config struct {
	// Start is what the clock shows at the beginning.
	Start time.Time
	// Parallel lets callbacks of one tag and different groups run at the same time.
	Parallel bool
	// Record, which may be nil, gets a line for each callback that has run, see [Run].
	Record func(Run)
	// Replay makes the run follow a record: callbacks for what comes from outside wait for their place in it, and
	// [Coordinator.Advance] returns [ErrDiverged] where the run leaves it. So do those of all processes if the
	// coordinator is that of a [Leader].
	Replay []Run
	// Limit is how long a callback may take, or an outside message that a replay waits for, of the machine's time,
	// until [Coordinator.Waits] names it; for the latter it is the end. It defaults to 5 s.
	Limit time.Duration
}

// Coordinator runs the callbacks of its groups in a fixed order. It is made by [New] and safe for concurrent use.
type Coordinator struct {
	cfg Config

	advancing  sync.Mutex // held by Advance
	mu         sync.Mutex
	arrived    sync.Cond // broadcast when something comes from outside, or the end
	now        Tag
	agenda     agenda
	places     int
	sequence   uint64            // of events
	fibers     map[uint64]*fiber // by goroutine
	idle       []*fiber
	deliverer  uint64              // the goroutine that delivers outputs; 0: none
	incoming   map[uint64]wire.Sum // by goroutine: the message from outside that it hands in
	bridging   map[uint64]bool     // goroutines of the leader's process that send outside callbacks
	replayed   int                 // runs of the record that have been repeated
	diverged   error               // of a replay
	closed     chan struct{}
	ended      bool
	group      task.Group
	bus        bus
	origin     atomic.Pointer[time.Time]
	shared     role        // in an application of several processes
	runs       []Run       // of the step, if shared
	sends      []wire.Send // likewise
	lacks      int         // the endpoint whose message it waits for; 0: none
	lacksSince time.Time
	inbox      inbox
}

// New makes a coordinator at the tag (0, 0).
func New(cfg Config) *Coordinator {
	if cfg.Limit == 0 {
		cfg.Limit = 5 * time.Second
	}
	c := &Coordinator{cfg: cfg, fibers: make(map[uint64]*fiber), incoming: make(map[uint64]wire.Sum), bridging: make(map[uint64]bool), closed: make(chan struct{})}
	c.arrived.L = &c.mu
	c.inbox.arrived.L = &c.inbox.mu
	c.origin.Store(&cfg.Start)
	return c
}

// Advance lets logical time pass up to a time and runs everything up to it, that time included. Without a change of
// time it runs what has come since. The error is [ErrClosed] or [ErrDiverged].
func (c *Coordinator) Advance(to time.Time) error {
	c.advancing.Lock()
	defer c.advancing.Unlock()
	until := to.Sub(c.beginning())
	for {
		batch, err := c.due(until)
		if err != nil || batch == nil {
			return err
		}
		c.run(batch)
	}
}

// due takes the events of the next tag up to a time. None are left if there are none; then it is that time.
func (c *Coordinator) due(until time.Duration) ([]*event, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil, ErrClosed
	}
	if c.replayed < len(c.cfg.Replay) || c.diverged != nil {
		return c.replayLocked(until)
	}
	if len(c.agenda) == 0 || c.agenda[0].tag.Time > until {
		if until > c.now.Time {
			c.now = Tag{Time: until}
		}
		return nil, nil
	}
	c.now = c.agenda[0].tag
	var batch []*event
	for len(c.agenda) > 0 && c.agenda[0].tag == c.now {
		batch = append(batch, c.agenda.pop())
	}
	return batch, nil
}

// Now returns the present tag.
func (c *Coordinator) Now() Tag {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// time returns what the clock shows.
func (c *Coordinator) time() time.Time { return c.beginning().Add(c.Now().Time) }

// beginning is what the clock shows at the tag (0, 0).
func (c *Coordinator) beginning() time.Time { return *c.origin.Load() }

// Close ends the coordinator: nothing new runs, and callbacks that wait go on in no order. Close it before the
// nodes.
// Closing twice is harmless.
func (c *Coordinator) Close() {
	c.mu.Lock()
	if !c.ended {
		c.ended = true
		close(c.closed)
		c.inbox.wake()
		c.agenda = nil
		c.arrived.Broadcast()
	}
	waits := false
	for _, f := range c.fibers {
		waits = waits || f.waits
	}
	c.mu.Unlock()
	if !waits { // those end when their nodes do
		c.group.WaitFor(c.cfg.Limit)
	}
}

// current returns the fiber of the calling goroutine, nil if it is no callback of the coordinator's.
func (c *Coordinator) current() *fiber {
	id := goid.Current()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fibers[id]
}
