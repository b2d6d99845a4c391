// SPDX-License-Identifier: Apache-2.0

package device

import (
	"errors"
	"fmt"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"
)

// Plan is the start-up of one kind of chip, in one or more lists of steps.
type Plan interface {
	// Begin returns the first steps of a start-up, at least one.
	Begin() []Step
	// Next returns the steps after the last ones were done (err is nil) or failed (err is the reason). No steps and
	// no error mean that the chip runs, an error that it can't be started.
	Next(err error) ([]Step, error)
}

// Opts are the options of a [Chip]. The zero value of each field means its default.
type Opts struct {
	// Budget is the maximum number of transactions per Poll, at least 4. It defaults to 8: about 3 ms at 100 kHz during
	// the start-up, less afterwards.
	Budget int
	// RetryInterval is the time between two attempts to bring up a chip that is absent. It defaults to 1 s.
	RetryInterval time.Duration
	// LostInterval is the time between the loss of a chip and the first attempt to start it again. It defaults to
	// none: at once.
	LostInterval time.Duration
	// Tries is how many transactions in a row must fail before a running chip counts as lost. It defaults to 3.
	Tries int
}

// check returns an error that names the first option out of its range.
func (o *Opts) check() error {
	switch {
	case o.Budget != 0 && (o.Budget < 4 || o.Budget > 1000):
		return fmt.Errorf("%w: Budget %d is not within 4 and 1000 transactions", ErrOption, o.Budget)
	case o.RetryInterval < 0:
		return fmt.Errorf("%w: RetryInterval %v is negative", ErrOption, o.RetryInterval)
	case o.LostInterval < 0:
		return fmt.Errorf("%w: LostInterval %v is negative", ErrOption, o.LostInterval)
	case o.Tries < 0:
		return fmt.Errorf("%w: Tries %d is negative", ErrOption, o.Tries)
	}
	return nil
}

// WithDefaults fills in the defaults of a chip without a start-up: it counts as lost after that number of failures in a
// row, and is searched at that interval, also right after its loss.
func (o Opts) WithDefaults(tries int, interval time.Duration) Opts {
	o.Tries, o.RetryInterval = orDefault(o.Tries, tries), orDefault(o.RetryInterval, interval)
	o.LostInterval = orDefault(o.LostInterval, o.RetryInterval)
	return o
}

// Chip is the state machine of one chip on a bus it does not own, or of another optional device. It is not safe for
// concurrent use: the owner of the bus calls it. Its public part is the [Resource].
type Chip struct {
	port    port
	opts    Opts
	plan    Plan
	name    string
	state   State
	seq     sequence
	begun   bool      // seq holds a bring-up under way
	retryAt time.Time // next attempt to start an absent chip; zero at once
	rest    time.Time // next time a running chip has something to do; zero at once
	upSince time.Time
	fails   int // transactions in a row that failed while running
}

// NewChip returns a chip without a transaction. The name is used in errors and in [Resource.String].
func NewChip(name string, bus pi2c.Bus, addr uint16, plan Plan, opts Opts) (*Chip, error) {
	if bus == nil {
		return nil, fmt.Errorf("%w: the bus is nil", ErrOption)
	}
	if addr > 0x7F {
		return nil, fmt.Errorf("%w: address %#x is not a 7-bit address", ErrOption, addr)
	}
	c, err := NewWithoutBus(name, plan, opts)
	if err == nil {
		c.port.bus, c.port.addr = bus, addr
	}
	return c, err
}

// NewWithoutBus returns a chip that is accessed in another way: all its steps have a [Step.Do].
func NewWithoutBus(name string, plan Plan, opts Opts) (*Chip, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	opts.Budget = orDefault(opts.Budget, 8)
	opts.RetryInterval = orDefault(opts.RetryInterval, time.Second)
	opts.Tries = orDefault(opts.Tries, defaultTries)
	return &Chip{name: name, opts: opts, plan: plan}, nil
}

// OneByOne limits each Poll to one transaction, for a chip that is not urgent.
func (c *Chip) OneByOne() { c.opts.Budget = 1 }

// Shown returns the chip's public part.
func (c *Chip) Shown() Resource { return Resource{c} }

// Name returns the name.
func (c *Chip) Name() string { return c.name }

// SetName changes the name, for a plan that has identified the kind of chip.
func (c *Chip) SetName(name string) { c.name = name }

// State returns how far the chip has been started.
func (c *Chip) State() State { return c.state }

// Addr is the bus address of the chip.
func (c *Chip) Addr() uint16 { return c.port.addr }

// SetAddr changes the address of all later transactions, for a plan that found the chip at another one.
func (c *Chip) SetAddr(addr uint16) { c.port.addr = addr }

// Stats returns the counters.
func (c *Chip) Stats() Stats { return c.port.stats }

// Step returns the index of the start-up's current step in the list that the plan returned last.
func (c *Chip) Step() int { return c.seq.at }

// Rest declares that a running chip has nothing to do before the given time.
func (c *Chip) Rest(until time.Time) { c.rest = until }

// Due reports whether a running chip has something to do.
func (c *Chip) Due(now time.Time) bool { return !now.Before(c.rest) }

// Poll begins a call of the chip's own Poll at the time now and starts the chip if necessary. It reports whether the
// chip runs and may be asked for a measurement with the rest of the budget. The error concerns this call only, for the
// statistics.
func (c *Chip) Poll(now time.Time) (running bool, err error) {
	c.port.left = c.opts.Budget
	if c.state == Running {
		return true, nil
	}
	if !c.begun {
		if c.state == Absent && now.Before(c.retryAt) {
			return false, nil
		}
		c.seq.start(c.plan.Begin(), now)
		c.begun, c.port.pointed = true, false
	}
	for {
		done, seen, err := c.seq.run(&c.port, now)
		if c.seq.at > 0 {
			c.state = Starting // something answers
		}
		if !done && err == nil {
			return false, seen
		}
		steps, planErr := c.plan.Next(err)
		if planErr != nil {
			c.port.stats.FailedStarts++
			c.drop(now, planErr, now.Add(c.opts.RetryInterval))
			return false, planErr
		}
		if len(steps) == 0 {
			c.state, c.begun, c.fails, c.upSince, c.rest = Running, false, 0, now, time.Time{}
			c.port.stats.Starts++
			return true, nil
		}
		c.seq.start(steps, now)
	}
}

// Tx makes one transaction with a running chip; address 0 is the chip's. When several in a row fail, the chip is lost.
func (c *Chip) Tx(now time.Time, addr uint16, w, r []byte) error {
	return c.count(now, c.port.tx(addr, w, r))
}

// Do executes a step with a running chip. It reports whether the step is done; one with Split takes two calls. An
// error, of the bus or of the step's Check, counts as a failed transaction.
func (c *Chip) Do(now time.Time, st *Step) (done bool, err error) {
	done, err = c.port.step(st, c.seq.r[:min(st.Read, maxRead)])
	if !done && err == nil {
		return false, nil
	}
	if err == nil && st.Check != nil {
		if err = st.Check(c.seq.r[:min(st.Read, maxRead)]); err != nil {
			c.Reject(err)
		}
	}
	return err == nil, c.count(now, err)
}

// count updates the counters of a running chip.
func (c *Chip) count(now time.Time, err error) error {
	if err == nil {
		c.fails = 0
		return nil
	}
	if errors.Is(err, ErrPostponed) {
		return err
	}
	if c.fails++; c.fails >= c.opts.Tries {
		c.port.stats.Losses++
		c.drop(now, err, now.Add(c.opts.LostInterval))
	}
	return err
}

// Restart starts the chip again with the next Poll, in any state; it does not count as a loss.
func (c *Chip) Restart() { c.state, c.begun, c.retryAt = Absent, false, time.Time{} }

// Lost declares that a running chip must be started again, and why: [ErrReset], [ErrFrozen]. That begins with the
// next Poll, or RetryInterval after the last start if that is later.
func (c *Chip) Lost(now time.Time, why error) error {
	c.port.stats.Losses++
	c.drop(now, why, c.upSince.Add(c.opts.RetryInterval))
	return why
}

// drop makes the chip absent until the time at.
func (c *Chip) drop(now time.Time, why error, at time.Time) {
	c.state, c.begun, c.port.left, c.retryAt = Absent, false, 0, at
	c.port.pointed = false
	if at.Before(now) {
		c.retryAt = now
	}
	c.port.stats.LastErr = why
}

// Accept counts a measurement that is returned.
func (c *Chip) Accept() { c.port.stats.Readings++ }

// Reject counts a measurement that is discarded, and stores the reason, which may be nil.
func (c *Chip) Reject(why error) {
	c.port.stats.Rejected++
	if why != nil {
		c.port.stats.LastErr = why
	}
}

// Halt makes the given writes, if the chip has answered before, and switches it off. All writes are made even if one
// fails; the errors are joined.
func (c *Chip) Halt(writes ...[]byte) error {
	answered := c.state == Starting || c.state == Running
	c.state, c.begun = Halted, false
	if !answered {
		return nil
	}
	var errs []error
	for _, w := range writes {
		if err := c.port.tx(0, w, nil); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
