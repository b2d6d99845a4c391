// SPDX-License-Identifier: Apache-2.0

package core

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// errConfig is matched by errors about an incomplete configuration.
var errConfig = errors.New("core: bad configuration")

// Config configures a [Core].
type Config struct {
	// Robot is the name of the core's robot, Prices are the costs of its work, How names their source in reports.
	Robot  string
	Prices Prices
	How    string
	// Parameters are those of the processor and the board. They are required.
	Parameters armcost.Parameters
	// Load holds the other consumers of power; with the radio on, the core adds the bytes that it sends.
	Load armcost.Load
	// Now is the simulated time. It is required.
	Now func() time.Time
}

// Core is a simulated robot's processor. It is safe for concurrent use; [Core.Run] is for one goroutine.
type Core struct {
	cfg     Config
	hertz   float64
	begun   time.Time
	mu      sync.Mutex // guards what follows
	queue   []*job
	free    time.Time     // end of the work that was started
	due     time.Time     // nominal start of the next control cycle
	charge  time.Duration // duration of the current work so far
	spent   armcost.Interval
	sent    float64 // bytes
	beat    CycleCounter
	state   state
	served  int // callbacks
	dropped int // callbacks dropped from full queues
	paid    Account
}

// state is the kind of the current work.
type state uint8

const (
	idle           state = iota
	inCallback           // a callback
	inCycle              // a control cycle that has not sent anything yet
	inCycleSending       // a control cycle that has sent a message
)

// job is a queued callback.
type job struct {
	at     time.Time
	entity *entity
	price  armcost.Interval
	run    func()
}

// New returns an idle core.
func New(cfg Config) (*Core, error) {
	switch {
	case cfg.Now == nil:
		return nil, fmt.Errorf("%w: no clock", errConfig)
	case !(cfg.Parameters.Parameters["core"].Likely >= 1):
		return nil, fmt.Errorf("%w: no frequency of the core", errConfig)
	}
	now := cfg.Now()
	return &Core{cfg: cfg, hertz: cfg.Parameters.Parameters["core"].Likely, begun: now, free: now, due: now}, nil
}

// time returns the duration of a number of processor cycles.
func (c *Core) time(i armcost.Interval) time.Duration {
	return time.Duration(i.Likely / c.hertz * float64(time.Second))
}

// pay adds a cost to the current work or, if the core is idle, to the time from now on. The caller holds mu.
func (c *Core) pay(i armcost.Interval) {
	c.spent = c.spent.Plus(i)
	if c.state != idle {
		c.charge += c.time(i)
		return
	}
	if now := c.cfg.Now(); c.free.Before(now) {
		c.free = now
	}
	c.free = c.free.Add(c.time(i))
}

// Meet charges the discovery of participants that have joined the network.
func (c *Core) Meet(participants int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pay(c.cfg.Prices.peer.Times(float64(participants)))
}

// Free reports whether the core is idle now.
func (c *Core) Free() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.free.After(c.cfg.Now())
}

// Run executes what the core has time for up to now: queued callbacks, and control cycles with a period. Each starts
// at its due time or when the previous work is done, if that is not after now; in the simulated world all of it
// happens now.
func (c *Core) Run(period time.Duration, cycle func() error) (err error) {
	now := c.cfg.Now()
	for {
		run := c.begin(now, period)
		if run == nil {
			return err
		}
		err = errors.Join(err, run(cycle))
		c.end()
	}
}

// begin returns the work to do next; nil if nothing is due or the core is busy.
func (c *Core) begin(now time.Time, period time.Duration) func(func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.free.After(now) {
		return nil
	}
	if len(c.queue) > 0 && (c.due.After(now) || c.queue[0].at.Before(c.due)) {
		j := c.queue[0]
		c.queue = c.queue[1:]
		c.free = later(c.free, j.at)
		c.state, c.charge, c.served = inCallback, 0, c.served+1
		c.pay(j.price)
		return func(func() error) error { return j.do() }
	}
	if c.due.After(now) {
		return nil
	}
	c.free = later(c.free, c.due)
	c.beat.Cycle(c.free, period)
	if c.due = c.due.Add(period); !c.due.After(c.free) {
		c.due = c.free.Add(period)
	}
	c.state, c.charge = inCycle, 0
	c.pay(c.cfg.Prices.cycle.Plus(c.cfg.Prices.pause))
	return func(cycle func() error) error { return cycle() }
}

func (c *Core) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = c.free.Add(c.charge)
	c.state = idle
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// entity is the subscription or service to which callbacks belong. When it is closed, its queued callbacks are
// dropped.
type entity struct {
	mu     sync.Mutex // locked while one of its callbacks runs
	closed bool
	limit  int // maximum number of queued callbacks; 0: unlimited
}

// do runs the callback, unless its entity is closed.
func (j *job) do() error {
	j.entity.mu.Lock()
	defer j.entity.mu.Unlock()
	if !j.entity.closed {
		j.run()
	}
	return nil
}

func (p *entity) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
}

// post queues a callback. If the entity's queue is full, its oldest callback is dropped and the later ones move up,
// so that a flooded entity does not lose its position in the core's queue.
func (c *Core) post(p *entity, price armcost.Interval, run func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var waiting []*job
	for _, j := range c.queue {
		if j.entity == p {
			waiting = append(waiting, j)
		}
	}
	if p.limit == 0 || len(waiting) < p.limit {
		c.queue = append(c.queue, &job{c.cfg.Now(), p, price, run})
		return
	}
	for i, j := range waiting[1:] {
		waiting[i].price, waiting[i].run = j.price, j.run
	}
	last := waiting[len(waiting)-1]
	last.price, last.run = price, run
	c.dropped++
}
