// SPDX-License-Identifier: Apache-2.0

//go:build linux

package targetlevel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
	"github.com/epuck-ros2/epuck-driver/sim/armcost/machine"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

var (
	// errNoTarget is returned for a world without robots of the level target.
	errNoTarget = errors.New("targetlevel: no robot of the level target")
	// errConfig is returned for a configuration that lacks something.
	errConfig = errors.New("targetlevel: bad configuration")
)

// Config is what the computers are made of.
type Config struct {
	// World is the world; Seed chooses its random numbers.
	World *sim.World
	Seed  uint64
	// Start is what all clocks show at 0. It defaults to the start of the year 2000, UTC.
	Start time.Time
	// Programs are what a robot's computer runs. It is required.
	Programs func(robot string) []machine.Program
	// Parameters are those of the board and the processor of robots that the world names none for. They are required.
	Parameters armcost.Parameters
	// Load is what else takes power on each robot; with the radio on, Sent counts by itself.
	Load armcost.Load
	// Mechanisms makes those of robots that have a description; nil: the world has none.
	Mechanisms sim.MechanismMaker
	// Workers bounds how many computers are computed at once. It defaults to 1.
	Workers int
}

// Computers are a world and the computers of its robots of the level target. Its methods are for one goroutine, but for
// what the world lets others do.
type Computers struct {
	cfg Config
	dir string
	// plugins are the files of the models by the names of processors; empty is that of the configuration.
	plugins map[string]string
	rack    *machine.Rack
	world   *sim.Simulation
	aboard  []*computer
}

// computer is that of one robot.
type computer struct {
	robot *sim.Firmware
	// parameters are those of its processor.
	parameters armcost.Parameters
	machine    *machine.Machine
	control    *meter
	begun      time.Duration
	drained    core.Account
}

// The Pi-puck's buses have these numbers on Linux since 5.4.
const (
	robotBus = 12
	boardBus = 11
)

// check reports what is missing.
func (c Config) check() error {
	switch {
	case c.World == nil:
		return fmt.Errorf("%w: no world", errConfig)
	case c.Programs == nil:
		return fmt.Errorf("%w: no programs", errConfig)
	case len(c.Parameters.Parameters) == 0:
		return fmt.Errorf("%w: no parameters", errConfig)
	}
	return nil
}

// processor returns the parameters of a robot's processor and its model, which is compiled for the first robot that has
// it.
func (c *Computers) processor(ctx context.Context, robot string) (armcost.Parameters, string, error) {
	name, parameters := "", c.cfg.Parameters
	if i := slices.IndexFunc(c.cfg.World.Robots, func(r world.Robot) bool { return r.Name == robot }); i >= 0 {
		name = c.cfg.World.Robots[i].Processor
	}
	if name != "" {
		var err error
		if parameters, err = armcost.Processor(name); err != nil {
			return parameters, "", err
		}
	}
	if c.plugins[name] == "" {
		dir := filepath.Join(c.dir, "model"+name)
		err := os.Mkdir(dir, 0o700)
		if err != nil {
			return parameters, "", err
		}
		if c.plugins[name], err = parameters.BuildPlugin(ctx, dir); err != nil {
			return parameters, "", err
		}
	}
	return parameters, c.plugins[name], nil
}

// configOf is the configuration with the parameters of a computer's own processor.
func (c *Computers) configOf(own *computer) Config {
	cfg := c.cfg
	cfg.Parameters = own.parameters
	return cfg
}

// New makes the world and starts all programs, at 0.
func New(ctx context.Context, cfg Config) (*Computers, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if cfg.Start.IsZero() {
		cfg.Start = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	c := &Computers{cfg: cfg, plugins: map[string]string{}, rack: machine.NewRack(cfg.Start, cfg.Workers)}
	if err := c.build(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (c *Computers) build(ctx context.Context) (err error) {
	if c.dir, err = os.MkdirTemp("", "epuck-driver-target-"); err != nil {
		return err
	}
	c.world, err = sim.New(c.cfg.World, sim.Options{
		Seed: c.cfg.Seed, Now: c.rack.Now, Sleep: c.rack.Sleep, MaxCatchUp: -1, Trace: true,
		Mechanisms: c.cfg.Mechanisms,
	})
	if err != nil {
		return err
	}
	for _, r := range sim.RobotsOf[*sim.Firmware](c.world) {
		if r.Level() != world.LevelTarget {
			continue
		}
		if err := c.board(ctx, r); err != nil {
			return fmt.Errorf("robot %q: %w", r.Name(), err)
		}
	}
	if len(c.aboard) == 0 {
		return errNoTarget
	}
	return nil
}

// board puts a computer on a robot and starts its programs.
func (c *Computers) board(ctx context.Context, r *sim.Firmware) error {
	files := filepath.Join(c.dir, fmt.Sprint(len(c.aboard)))
	if err := os.Mkdir(files, 0o700); err != nil {
		return err
	}
	if err := writeRobotFiles(files, c.cfg.Seed, len(c.aboard)); err != nil {
		return err
	}
	parameters, plugin, err := c.processor(ctx, r.Name())
	if err != nil {
		return err
	}
	own := &computer{robot: r, parameters: parameters, control: &meter{Bus: r.Bus(), now: c.rack.Now}, begun: c.Age()}
	m, err := c.rack.Add(machine.Config{
		Plugin: plugin, Parameters: parameters, Files: files, Processor: len(c.aboard) % max(1, c.cfg.Workers),
		Seed:  uint32(c.cfg.Seed)<<8 + uint32(len(c.aboard)),
		Buses: map[int]machine.Bus{robotBus: own.control, boardBus: r.BoardBus()},
	})
	if err != nil {
		return err
	}
	own.machine = m
	c.aboard = append(c.aboard, own)
	for _, p := range c.cfg.Programs(r.Name()) {
		if err := m.Start(p); err != nil {
			return err
		}
	}
	return nil
}

// World is the world the robots are in.
func (c *Computers) World() *sim.Simulation { return c.world }

// Age is the simulated time.
func (c *Computers) Age() time.Duration { return c.rack.Now().Sub(c.cfg.Start) }

// Advance runs the computers, and the world with them, up to an age.
func (c *Computers) Advance(ctx context.Context, to time.Duration) error {
	for c.Age() < to {
		next := min(to, c.Age()+drainEvery)
		if err := c.rack.Advance(ctx, next); err != nil {
			return err
		}
		for _, own := range c.aboard {
			own.drain(c.configOf(own), next)
		}
	}
	c.world.Elapsed()
	return nil
}

// ending is how long programs have to end when they are asked to, of simulated time.
const ending = 5 * time.Second

// End asks all programs to end, as a service manager does, and lets time pass until they have.
func (c *Computers) End(ctx context.Context) error {
	for _, own := range c.aboard {
		if err := own.machine.Signal(syscall.SIGTERM); err != nil {
			return err
		}
	}
	for limit := c.Age() + ending; c.running() && c.Age() < limit; {
		if err := c.Advance(ctx, c.Age()+10*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

func (c *Computers) running() bool {
	for _, own := range c.aboard {
		if own.machine.Running() {
			return true
		}
	}
	return false
}

// Close kills what still runs.
func (c *Computers) Close() error {
	err := c.rack.Close()
	if c.dir != "" {
		err = errors.Join(err, os.RemoveAll(c.dir))
	}
	return err
}
