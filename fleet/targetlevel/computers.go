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
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

var (
	// errNoTarget is returned for a world without robots of the level target.
	errNoTarget = errors.New("targetlevel: no robot of the level target")
	// errConfig is returned for an incomplete configuration.
	errConfig = errors.New("targetlevel: bad configuration")
)

// Config configures [Computers].
type Config struct {
	// World is the world; Seed is the seed of its random numbers.
	World *sim.World
	Seed  uint64
	// Start is the time that all clocks show at age 0. It defaults to the start of the year 2000, UTC.
	Start time.Time
	// Programs returns the programs of a robot's computer. It is required.
	Programs func(robot string) []machine.Program
	// Parameters are the default parameters of board and processor, for robots without a processor in the world file.
	// They are required.
	Parameters armcost.Parameters
	// Load holds the other consumers of power of each robot; with the radio on, the bytes that are sent are added to
	// it.
	Load armcost.Load
	// Mechanisms creates the mechanisms of described robots; nil: the world has none.
	Mechanisms sim.MechanismMaker
	// Workers is the maximum number of computers that are emulated concurrently. It defaults to 1.
	Workers int
}

// Computers is a world with the on-board computers of its robots of the level target. Its methods are for one
// goroutine; the world's may be called from others.
type Computers struct {
	cfg Config
	dir string
	// plugins are the paths of the compiled cost models by name of processor; empty is that of the configuration.
	plugins   map[string]string
	rack      *machine.Rack
	world     *sim.Simulation
	computers []*computer
}

// chipped is a robot whose chips are on buses.
type chipped interface {
	sim.Robot
	Bus() *vbus.Bus
	BoardBus() *vbus.Bus
}

// computer is the computer of one robot.
type computer struct {
	robot chipped
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

// check returns an error if a required field is missing.
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

// processor returns the parameters of a robot's processor and the path of its cost model, which is compiled for the
// first robot that has it.
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

// configOf returns the configuration with the parameters of a computer's own processor.
func (c *Computers) configOf(own *computer) Config {
	cfg := c.cfg
	cfg.Parameters = own.parameters
	return cfg
}

// New creates the world and starts all programs, at age 0.
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
	for _, r := range sim.RobotsOf[chipped](c.world) {
		if r.Level() != world.LevelTarget {
			continue
		}
		if err := c.addComputer(ctx, r); err != nil {
			return fmt.Errorf("robot %q: %w", r.Name(), err)
		}
	}
	if len(c.computers) == 0 {
		return errNoTarget
	}
	return nil
}

// addComputer connects a computer to a robot's buses and starts its programs.
func (c *Computers) addComputer(ctx context.Context, r chipped) error {
	files := filepath.Join(c.dir, fmt.Sprint(len(c.computers)))
	if err := os.Mkdir(files, 0o700); err != nil {
		return err
	}
	if err := writeRobotFiles(files, c.cfg.Seed, len(c.computers)); err != nil {
		return err
	}
	parameters, plugin, err := c.processor(ctx, r.Name())
	if err != nil {
		return err
	}
	own := &computer{robot: r, parameters: parameters, control: &meter{Bus: r.Bus(), now: c.rack.Now}, begun: c.Age()}
	m, err := c.rack.Add(machine.Config{
		Plugin: plugin, Parameters: parameters, Files: files, Processor: len(c.computers) % max(1, c.cfg.Workers),
		Seed:  uint32(c.cfg.Seed)<<8 + uint32(len(c.computers)),
		Buses: map[int]machine.Bus{robotBus: own.control, boardBus: r.BoardBus()},
	})
	if err != nil {
		return err
	}
	own.machine = m
	c.computers = append(c.computers, own)
	for _, p := range c.cfg.Programs(r.Name()) {
		if err := m.Start(p); err != nil {
			return err
		}
	}
	return nil
}

// World returns the simulation of the world.
func (c *Computers) World() *sim.Simulation { return c.world }

// Age returns the simulated time since the start.
func (c *Computers) Age() time.Duration { return c.rack.Now().Sub(c.cfg.Start) }

// Advance runs the computers, and the world with them, up to an age.
func (c *Computers) Advance(ctx context.Context, to time.Duration) error {
	for c.Age() < to {
		next := min(to, c.Age()+drainEvery)
		if err := c.rack.Advance(ctx, next); err != nil {
			return err
		}
		for _, own := range c.computers {
			own.drain(c.configOf(own), next)
		}
	}
	c.world.Elapsed()
	return nil
}

// shutdownTimeout is the time that programs have to end after SIGTERM, of simulated time.
const shutdownTimeout = 5 * time.Second

// End sends SIGTERM to all programs, as a service manager does, and advances time until they have ended or
// shutdownTimeout has passed.
func (c *Computers) End(ctx context.Context) error {
	for _, own := range c.computers {
		if err := own.machine.Signal(syscall.SIGTERM); err != nil {
			return err
		}
	}
	for limit := c.Age() + shutdownTimeout; c.running() && c.Age() < limit; {
		if err := c.Advance(ctx, c.Age()+10*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

func (c *Computers) running() bool {
	for _, own := range c.computers {
		if own.machine.Running() {
			return true
		}
	}
	return false
}

// Close kills the remaining programs and removes temporary files.
func (c *Computers) Close() error {
	err := c.rack.Close()
	if c.dir != "" {
		err = errors.Join(err, os.RemoveAll(c.dir))
	}
	return err
}
