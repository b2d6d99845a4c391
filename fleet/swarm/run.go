// SPDX-License-Identifier: Apache-2.0

package swarm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// Config configures a [Run]. Only Controller is required.
type Config struct {
	// Seed is the seed of all random numbers.
	Seed uint64
	// World is the world's name for display. It is stored in snapshots.
	World string
	// Controller creates the controller of each robot; a robot with a nil controller is not controlled. It is required.
	Controller Maker
	// Name is the name of the controllers for display. It is stored in snapshots, and Restore rejects another one; an
	// empty name matches any.
	Name string
	// Period is the control period, a multiple of 10 ms. It defaults to 100 ms.
	Period time.Duration
	// Workers is the maximum number of concurrent goroutines. It defaults to the number of processors.
	Workers int
	// Trace records the run for sim.Simulation.TraceHash.
	Trace bool
	// Quiet disables sensor noise.
	Quiet bool
}

// Run is a simulation of a swarm that runs as fast as possible. It is not safe for concurrent use.
type Run struct {
	cfg    Config
	clock  *sim.Clock
	sim    *sim.Simulation
	pilots []*pilot
	stats  Statistics
	cells  map[[2]int32]struct{}
	bumps  map[string]uint64
	last   []sim.Pose
	watch  func(age time.Duration, s *sim.Simulation)
}

// World returns the name of the world, that of Config or of the snapshot.
func (r *Run) World() string { return r.cfg.World }

// Seed returns the seed, that of Config or of the snapshot.
func (r *Run) Seed() uint64 { return r.cfg.Seed }

// New creates the simulation of a world and the controllers of its robots.
func New(w *sim.World, cfg Config) (*Run, error) {
	if cfg.Controller == nil {
		return nil, fmt.Errorf("%w: no controller", errConfig)
	}
	if cfg.Period == 0 {
		cfg.Period = 100 * time.Millisecond
	}
	r := &Run{cfg: cfg, clock: sim.NewClock(), cells: make(map[[2]int32]struct{}), bumps: make(map[string]uint64)}
	var err error
	r.sim, err = sim.New(w, sim.Options{
		Seed: cfg.Seed, Now: r.clock.Now, Workers: cfg.Workers, Trace: cfg.Trace, Quiet: cfg.Quiet, MaxCatchUp: -1, Settled: true,
	})
	if err != nil {
		return nil, err
	}
	for _, m := range r.sim.Robots() {
		if err := r.attachController(m); err != nil {
			return nil, err
		}
	}
	r.observe()
	return r, nil
}

// attachController connects a robot to its controller.
func (r *Run) attachController(m sim.Robot) error {
	c := r.cfg.Controller(m.Name())
	if c == nil {
		return nil
	}
	switch robot := m.(type) {
	case controllable:
		return robot.SetController(stepper{c}, r.cfg.Period)
	case processor:
		p, err := newPilot(robot, c, r.cfg.Seed)
		r.pilots = append(r.pilots, p)
		return err
	}
	return nil
}

// Simulation returns the world.
func (r *Run) Simulation() *sim.Simulation { return r.sim }

// Watch calls f after each control period. It must be called before Advance.
func (r *Run) Watch(f func(age time.Duration, s *sim.Simulation)) { r.watch = f }

// Advance advances the simulation by d, rounded up to whole control periods, or until ctx ends.
func (r *Run) Advance(ctx context.Context, d time.Duration) error {
	for range (d + r.cfg.Period - 1) / r.cfg.Period {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.clock.Sleep(r.cfg.Period)
		if err := r.control(); err != nil {
			return err
		}
	}
	return nil
}

// Until advances the simulation to an age or until ctx ends, for a time source with its own steps: controllers step
// at the multiples of their period, however long those steps are.
func (r *Run) Until(ctx context.Context, age time.Duration) error {
	for now := r.sim.Elapsed(); now < age; now = r.sim.Elapsed() {
		if err := ctx.Err(); err != nil {
			return err
		}
		period := now - now%r.cfg.Period + r.cfg.Period
		r.clock.Sleep(min(period, age) - now)
		if period > age {
			continue
		}
		if err := r.control(); err != nil {
			return err
		}
	}
	return nil
}

// control executes the control steps at the end of a period.
func (r *Run) control() error {
	age := r.sim.Elapsed()
	var errs []error
	for _, p := range r.pilots {
		errs = append(errs, p.step())
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if age%observation < r.cfg.Period {
		r.observe()
	}
	if r.watch != nil {
		r.watch(age, r.sim)
	}
	return nil
}

// Add creates the controller of a robot that was added to the running world.
func (r *Run) Add(m sim.Robot) error { return r.attachController(m) }

// Remove removes the controller of a robot that is about to be removed from the world.
func (r *Run) Remove(name string) error {
	r.pilots = slices.DeleteFunc(r.pilots, func(p *pilot) bool { return p.Name() == name })
	return nil
}
