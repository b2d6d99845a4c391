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
	// ErrClosed means that the coordinator is closed.
	ErrClosed = errors.New("order: coordinator closed")
	// ErrRecord means that a record cannot be parsed.
	ErrRecord = errors.New("order: record")
	// ErrDiverged means that a replay diverged from its record.
	ErrDiverged = errors.New("order: the run diverges from its record")
)

// Config configures a [Coordinator]. Its zero value is usable.
type Config struct {
	// Start is the initial time of the clock.
	Start time.Time
	// Parallel allows callbacks of different groups at the same tag to run concurrently.
	Parallel bool
	// Record, which may be nil, is called for each callback that has run, see [Run].
	Record func(Run)
	// Omit reports whether messages of a type are left out of the record because their content depends on the machine,
	// as that of diagnostics does. It may be nil: none are.
	Omit func(typ string) bool
	// Replay makes the run follow a record: callbacks caused from outside wait for their position in it, and
	// [Coordinator.Advance] returns [ErrDiverged] if the run differs. With a [Leader] this applies to all processes.
	Replay []Run
	// Limit is how long, in real time, a callback may take before [Coordinator.Waits] names it, and how long a replay
	// waits for a message from outside before it fails. It defaults to 5 s.
	Limit time.Duration
}

// Coordinator runs the callbacks of its groups in a deterministic order. It is created by [New] and safe for concurrent
// use.
type Coordinator struct {
	cfg Config

	advancing  sync.Mutex // held by Advance
	mu         sync.Mutex
	arrived    sync.Cond // broadcast at events from outside and at Close
	now        Tag
	events     eventQueue
	places     int
	sequence   uint64            // of events
	fibers     map[uint64]*fiber // by goroutine
	idle       []*fiber
	deliverer  uint64              // the goroutine that delivers outputs; 0: none
	incoming   map[uint64]wire.Sum // by goroutine: the message from outside that it is delivering
	bridging   map[uint64]bool     // goroutines of the leader's process that send outside of callbacks
	replayed   int                 // runs of the record that have been replayed
	diverged   error               // of a replay
	closed     chan struct{}
	ended      bool
	group      task.Group
	bus        bus
	origin     atomic.Pointer[time.Time]
	shared     role        // in an application with several processes
	runs       []Run       // of the step, if shared
	sends      []wire.Send // likewise
	lacks      int         // the endpoint whose message is awaited; 0: none
	lacksSince time.Time
	inbox      inbox
}

// New returns a coordinator at the tag (0, 0).
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

// Advance advances logical time to a time and runs all callbacks up to and including it. If the time does not change,
// it runs those that have become due since. The error is [ErrClosed] or [ErrDiverged].
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

// due removes and returns the events of the next tag up to a time. If there are none, logical time becomes that time.
func (c *Coordinator) due(until time.Duration) ([]*event, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil, ErrClosed
	}
	if c.replayed < len(c.cfg.Replay) || c.diverged != nil {
		return c.replayLocked(until)
	}
	if len(c.events) == 0 || c.events[0].tag.Time > until {
		if until > c.now.Time {
			c.now = Tag{Time: until}
		}
		return nil, nil
	}
	c.now = c.events[0].tag
	var batch []*event
	for len(c.events) > 0 && c.events[0].tag == c.now {
		batch = append(batch, c.events.pop())
	}
	return batch, nil
}

// Now returns the current tag.
func (c *Coordinator) Now() Tag {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// time returns the clock's time.
func (c *Coordinator) time() time.Time { return c.beginning().Add(c.Now().Time) }

// beginning returns the clock's time at the tag (0, 0).
func (c *Coordinator) beginning() time.Time { return *c.origin.Load() }

// Close closes the coordinator: no further callback starts, and waiting ones continue in no particular order. Close it
// before the nodes. Closing twice is harmless.
func (c *Coordinator) Close() {
	c.mu.Lock()
	if !c.ended {
		c.ended = true
		close(c.closed)
		c.inbox.wake()
		c.events = nil
		c.arrived.Broadcast()
	}
	waits := false
	for _, f := range c.fibers {
		waits = waits || f.waits
	}
	c.mu.Unlock()
	if !waits { // waiting ones end with their nodes
		c.group.WaitFor(c.cfg.Limit)
	}
}

// current returns the fiber of the calling goroutine, nil if it runs no callback of the coordinator.
func (c *Coordinator) current() *fiber {
	id := goid.Current()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fibers[id]
}
