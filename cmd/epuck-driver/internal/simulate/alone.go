// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"context"
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/service"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// aloneTime is the time of a world of one robot and its driver. It starts at the present, at the machine's speed; if
// the program has the services of the simulation, a viewer may pause it or change the real-time factor.
type aloneTime struct {
	clock *simclock.Clock
	world *sim.Simulation
	tick  func() // publishes the time; nil until hostAlone
}

// realTimeLoop is the environment variable with which tests run the driver's own loop on the machine's clock, as on a
// robot. It is not for simulations: on a busy machine the sensors would be late.
const realTimeLoop = "EPUCK_TEST_REAL_TIME_LOOP"

// newAloneTime creates a world and its time.
func newAloneTime(w *sim.World, seed uint64, log *slog.Logger) (*aloneTime, error) {
	return newTime(w, simclock.StepPeriod, sim.Options{Seed: seed}, log)
}

// outsideStep is the time step of a world whose robots are driven by other programs: their transfers take place at
// the time of the latest step.
const outsideStep = time.Millisecond

// newOutsideTime creates a world whose robots are driven by other programs in real time, and its time. A transfer
// takes the time of its bits.
func newOutsideTime(w *sim.World, seed uint64, log *slog.Logger) (*aloneTime, error) {
	return newTime(w, outsideStep, sim.Options{Seed: seed, Sleep: time.Sleep}, log)
}

func newTime(w *sim.World, step time.Duration, opts sim.Options, log *slog.Logger) (*aloneTime, error) {
	clock, err := simclock.New(simclock.Config{Epoch: time.Now(), Factor: 1, Step: step, OnLate: logStalledTime(log)})
	if err != nil {
		return nil, err
	}
	t := &aloneTime{clock: clock}
	opts.Now, opts.Wait, opts.MaxCatchUp, opts.Trace = clock.Now, clock.Wait, -1, true
	t.world, err = sim.New(w, opts)
	return t, err
}

// deviceWorld creates the world of a robot whose buses are device files, and its time. A driver in this process runs
// in each step, in which transfers take no time.
func (o *simOptions) deviceWorld(w *sim.World, log *slog.Logger) (*sim.Simulation, service.WorldTime, error) {
	newTime := newOutsideTime
	if o.node {
		newTime = newAloneTime
	}
	t, err := newTime(w, o.seed, log)
	if err != nil {
		return nil, nil, err
	}
	return t.world, t, nil
}

// logStalledTime returns a function that logs the participants that stalled time waits for.
func logStalledTime(log *slog.Logger) func(waits string) {
	return func(waits string) { log.Warn("simulated time is stalled", slog.String("waits_for", waits)) }
}

// Clock implements service.WorldTime.
func (t *aloneTime) Clock() ros2.Clock { return t.clock }

// Release implements service.WorldTime.
func (t *aloneTime) Release() { t.clock.Release() }

// Run implements service.WorldTime. The world's age limits the run, not the machine's time: the run
// does not depend on how fast the machine is.
func (t *aloneTime) Run(ctx context.Context, duration time.Duration, advance func() error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return t.clock.Run(ctx, func() error {
		age := t.world.Elapsed()
		err := advance()
		if t.tick != nil {
			t.tick()
		}
		if duration > 0 && age >= duration {
			cancel()
		}
		return err
	})
}

// repeat publishes the time periodically until stop is called.
func (t *aloneTime) repeat() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var group task.Group
	group.Go("/clock", func() { simclock.Repeat(ctx, t.tick) })
	return func() {
		cancel()
		group.Wait()
	}
}

// isPaused returns a function that reports whether a world's time is paused.
func isPaused(passing service.WorldTime) func() bool {
	t, simulated := passing.(*aloneTime)
	return func() bool { return simulated && t.clock.Factor() == 0 }
}
