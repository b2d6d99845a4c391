// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"log/slog"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/plant"
)

// Options says how a simulation runs. The zero value is usable.
type Options struct {
	// Seed chooses all random numbers. It defaults to 0, a seed like any other.
	Seed uint64
	// Now is the clock. It defaults to time.Now. It must not call into the
	// simulation.
	Now func() time.Time
	// Sleep sleeps on the clock for the time of a bus transfer. It defaults to
	// nil: transfers take no time.
	Sleep func(time.Duration)
	// Wait sleeps on the clock for the time between two frames of a camera, until stop is closed at the longest. It
	// defaults to a timer of the computer's clock.
	Wait func(d time.Duration, stop <-chan struct{})
	// Logger hears of faults and of what users do to the robots, at debug
	// level. It defaults to nil: silence.
	Logger *slog.Logger
	// Quiet takes the noise from the sensors, and the biases of the inertial
	// ones; the offsets of the infrared sensors stay.
	Quiet bool
	// BootTime is how long a robot's processor does not answer after a restart.
	// It defaults to 1.004 s, measured of the firmware's code; negative means none.
	BootTime time.Duration
	// Settled begins with robots whose processors were started, and stopped,
	// long before. Otherwise they have just been switched on: their first command
	// acts up to 0.66 s late, and the infrared sensors' first cycle is not complete.
	Settled bool
	// BusTimeout is how long a transfer hangs when the clock line does. It
	// defaults to 20 ms, what drivers of this robot set.
	BusTimeout time.Duration
	// Trace records what happens, for TraceHash.
	Trace bool
	// Workers bounds the goroutines that compute at once. It defaults to 0: one for each processor that Go uses. What
	// is computed is the same.
	Workers int
	// Mechanisms makes the mechanisms of robots that have a model. It defaults to nil: they are ErrModel.
	Mechanisms MechanismMaker
	// MaxCatchUp bounds the time that is simulated at once after a time without a look,
	// or the computer slept, while something moved: the world sleeps through
	// the rest. It defaults to 60 s; negative means no bound.
	MaxCatchUp time.Duration
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.BusTimeout <= 0 {
		o.BusTimeout = 20 * time.Millisecond
	}
	if o.MaxCatchUp == 0 {
		o.MaxCatchUp = 60 * time.Second
	}
	return o
}

// config returns what a world needs of the options.
func (o *Options) config() plant.Config {
	return plant.Config{
		Seed: o.Seed, Now: o.Now, Sleep: o.Sleep, Wait: o.Wait, Logger: o.Logger, Quiet: o.Quiet, BootTime: o.BootTime,
		Settled: o.Settled, BusTimeout: o.BusTimeout, Trace: o.Trace, Workers: o.Workers, MaxCatchUp: o.MaxCatchUp,
	}
}

// Clock is a clock that advances only while a program sleeps on it: pass its Now,
// Sleep and Wait in Options and simulated time costs only computing. It is safe for
// concurrent use; goroutines that sleep on it do not wait for each other.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that shows the start of the year 2000, UTC.
func NewClock() *Clock {
	return &Clock{now: time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)}
}

// Now returns what the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep puts the clock forward by d; negative does nothing.
func (c *Clock) Sleep(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(max(0, d))
}

// Wait puts the clock forward by d as Sleep does, unless stop is closed.
func (c *Clock) Wait(d time.Duration, stop <-chan struct{}) {
	select {
	case <-stop:
	default:
		c.Sleep(d)
	}
}
