// SPDX-License-Identifier: Apache-2.0

package core

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// errConfig is returned for a configuration that lacks something.
var errConfig = errors.New("core: bad configuration")

// Config is what a core is made of.
type Config struct {
	// Robot is the name of its robot, Prices what is charged, How a word for that.
	Robot  string
	Prices Prices
	How    string
	// Parameters are the processor's and the board's. They are required.
	Parameters armcost.Parameters
	// Load is what else takes power; with the radio on, Sent counts by itself.
	Load armcost.Load
	// Now is the simulated time. It is required.
	Now func() time.Time
}

// Core is a simulated robot's processor. It is safe for concurrent use; [Core.Run] is for one goroutine.
type Core struct {
	cfg    Config
	hertz  float64
	begun  time.Time
	mu     sync.Mutex // guards what follows
	queue  []*job
	free   time.Time     // when it has done all that was begun
	due    time.Time     // when the next control cycle should begin
	charge time.Duration // of what is at work
	spent  armcost.Interval
	sent   float64 // bytes
	beat   Beat
	state  state
	served int // callbacks
	gone   int // callbacks dropped because too many waited
	paid   Account
}

// state is what is at work.
type state uint8

const (
	rests   state = iota
	calls         // a callback
	cycles        // a control cycle that has sent nothing yet
	sending       // one that has
)

// job is a callback that waits.
type job struct {
	at    time.Time
	place *place
	price armcost.Interval
	run   func()
}

// New makes a core that has nothing to do.
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

// time is how long the core takes for so many cycles.
func (c *Core) time(i armcost.Interval) time.Duration {
	return time.Duration(i.Likely / c.hertz * float64(time.Second))
}

// pay charges for something, to what is at work or, if nothing is, from now on. The caller holds mu.
func (c *Core) pay(i armcost.Interval) {
	c.spent = c.spent.Plus(i)
	if c.state != rests {
		c.charge += c.time(i)
		return
	}
	if now := c.cfg.Now(); c.free.Before(now) {
		c.free = now
	}
	c.free = c.free.Add(c.time(i))
}

// Meet charges for participants that have joined the network.
func (c *Core) Meet(participants int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pay(c.cfg.Prices.peer.Times(float64(participants)))
}

// Free reports whether the core has nothing under way.
func (c *Core) Free() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.free.After(c.cfg.Now())
}

// Run does what the core has time for up to now: callbacks that wait, and control cycles, so long apart. Each begins
// when it is due and those before it are done, if that is not after now; to the world all of it happens now.
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

// begin chooses what is done next; nil if there is nothing, or no time for it.
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
		c.state, c.charge, c.served = calls, 0, c.served+1
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
	c.state, c.charge = cycles, 0
	c.pay(c.cfg.Prices.cycle.Plus(c.cfg.Prices.pause))
	return func(cycle func() error) error { return cycle() }
}

func (c *Core) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = c.free.Add(c.charge)
	c.state = rests
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// place is what callbacks belong to: a subscription or a service. At its end those that wait are dropped.
type place struct {
	mu     sync.Mutex // held while a callback of it runs
	closed bool
	limit  int // how many may wait; 0: any number
}

// do runs the callback, unless its place is closed.
func (j *job) do() error {
	j.place.mu.Lock()
	defer j.place.mu.Unlock()
	if !j.place.closed {
		j.run()
	}
	return nil
}

func (p *place) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
}

// post lets a callback wait for its turn. Of a place that has too many waiting the oldest is dropped, and those behind
// it move up: a place that is flooded loses no turn.
func (c *Core) post(p *place, price armcost.Interval, run func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var waiting []*job
	for _, j := range c.queue {
		if j.place == p {
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
	c.gone++
}
