// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/fleet/core"
	"github.com/epuck-ros2/epuck-driver/fleet/genericdriver"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Config is what a fleet is made of.
type Config struct {
	// Simulation is the world. It is required.
	Simulation *sim.Simulation
	// Transport carries all nodes' messages. It is required; the fleet does not close it.
	Transport ros2.Transport
	// Args gives the command line's arguments for the node of a robot: with its namespace and its frame prefix in them.
	// It defaults to nothing but those.
	Args func(namespace, prefix string) (ros2.Args, error)
	// Hardware gives what the driver of a robot of the firmware level runs on, and what to call when it has ended. It
	// is required where there are such robots.
	Hardware func(r *sim.Firmware, n *ros2.Node) (cfg driver.Config, done func() error, err error)
	// Callbacks makes the group of each node's callbacks; nil: they run as messages come.
	Callbacks func() ros2.CallbackGroup
	// Perform runs what a robot does in a step, by its node; nil: it is called directly.
	Perform func(n *ros2.Node, step func() error) error
	// Clock is the simulated time. It should not change during [Fleet.Step], as a [simclock.Clock] does not. It
	// defaults to the machine's clock.
	Clock ros2.Clock
	// Logger gets the log lines. It defaults to none.
	Logger *slog.Logger
	// Trace adds every message that the robots' nodes publish to the world's trace (sim.Options.Trace), as its bytes in
	// CDR; all topics are published for that, with and without a subscriber. Not part of it is what depends on the
	// machine or on who asks: pictures, diagnostics, logs, changes of parameters, answers of services.
	Trace bool
	// Core gives the processor of a robot whose work is to take time, nil for one whose does not. It defaults to none.
	Core func(m sim.Robot) (*core.Core, error)
	// Settings are those of the universal driver's robots by their models, as files have them. It defaults to none.
	Settings map[string]*genericdriver.File
	// Alone gives a world's only robot the names of a single robot: no namespace, no prefix. Robots that are added to it
	// have theirs.
	Alone bool
	// Endpoints is how many writers, and how many readers, the transport has space for. Robots that need more are
	// refused with [ErrSpace] when the first of each kind is on the network, before the others are made. It defaults to
	// 0: not checked.
	Endpoints int
	// Left, if set, is called when a robot has left the network, on any goroutine. It must not block.
	Left func()
}

// Fleet is the robots of a world on a network. All methods may be called from any goroutine. Robots act in [Fleet.Step]
// and nowhere else, in the order of the world: control cycles, sensors and actuators, and publishing.
type Fleet struct {
	cfg        Config
	parameters table.Declarations // of the driver's nodes

	mu      sync.Mutex
	alone   string // the robot without a namespace; empty: none
	members map[string]*member
	order   []string
	crowd   crowd
	// calibrations have a lock of their own.
	calibrations calibrations
	// remarked are the models whose remarks are logged.
	remarked map[string]bool
}

// member is a robot on the network.
type member struct {
	name   string
	node   *ros2.Node
	talk   *talk      // nil for robots of other kinds
	core   *core.Core // nil: its work takes no time
	member sim.Robot  // with a core
	// One of them is there.
	universal *genericdriver.Driver
	driver    *driver.Driver
	done      func() error
	next      time.Time // with a core: when the battery is next charged with its current
}

// New puts all robots of the world on the network. After an error none is on it.
func New(cfg Config) (*Fleet, error) {
	if cfg.Clock == nil {
		cfg.Clock = ros2.SystemClock()
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Args == nil {
		cfg.Args = func(namespace, prefix string) (ros2.Args, error) {
			line := []string{"--ros-args", "-r", "__ns:=" + namespace}
			if prefix != "" {
				line = append(line, "-p", "frame_prefix:="+prefix)
			}
			args, _, err := ros2.ParseArgs(line)
			return args, err
		}
	}
	if cfg.Perform == nil {
		cfg.Perform = func(_ *ros2.Node, step func() error) error { return step() }
	}
	f := &Fleet{cfg: cfg, parameters: table.NewDeclarations(), members: make(map[string]*member)}
	if cfg.Core != nil {
		f.crowd.watch(cfg.Transport)
	}
	robots := cfg.Simulation.Robots()
	if cfg.Alone && len(robots) == 1 {
		f.alone = robots[0].Name()
	}
	if err := f.addAll(robots); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Add puts a robot of the world on the network, an articulated one with the universal driver. It fails if a robot with
// that name is on the network already.
func (f *Fleet) Add(r sim.Robot) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	name := r.Name()
	if f.members[name] != nil {
		return fmt.Errorf("%w: %q is on the network", errName, name)
	}
	join := f.join
	if a, ok := r.(*sim.Articulated); ok {
		join = func(sim.Robot) (*member, error) { return f.joinArticulated(a) }
	}
	g, err := join(r)
	if err != nil {
		return fmt.Errorf("robot %q: %w", name, err)
	}
	f.members[name] = g
	f.order = append(f.order, name)
	return nil
}

// newNode makes the node of a robot, called so if the command line says nothing else, whose part of the trace is
// written by record and whose parameters declare declares before others can ask for them; its work is charged to a
// core, if there is one.
func (f *Fleet) newNode(name, called string, record func(topic string, message []byte), declare func(*ros2.Parameters) error,
	own *core.Core) (*ros2.Node, error) {
	namespace, prefix := "/"+name, name+"/"
	if name == f.alone {
		namespace, prefix = "/", ""
	}
	args, err := f.cfg.Args(namespace, prefix)
	if err != nil {
		return nil, err
	}
	transport := f.cfg.Transport
	if own != nil {
		transport = own.On(transport)
	}
	if f.cfg.Trace {
		transport = tapOf(transport, record)
	}
	cfg := ros2.NodeConfig{
		Name: called, Transport: transport, Clock: f.cfg.Clock, Logger: f.cfg.Logger, Args: args, Standard: true, Declare: declare,
	}
	if f.cfg.Callbacks != nil {
		cfg.Callbacks = f.cfg.Callbacks()
	}
	return ros2.NewNode(cfg)
}

// join makes a robot's node and what serves it.
func (f *Fleet) join(m sim.Robot) (*member, error) {
	own, err := f.coreOf(m)
	if err != nil {
		return nil, err
	}
	node, err := f.newNode(m.Name(), driver.NodeName, m.Record, f.parameters.In, own)
	if err != nil {
		return nil, err
	}
	g := &member{name: m.Name(), node: node, core: own, member: m}
	if g.talk, err = newTalk(m, node); err != nil {
		return nil, errors.Join(err, node.Close())
	}
	if err = f.drive(m, g); err != nil {
		return nil, errors.Join(err, g.talk.close(), node.Close())
	}
	return g, nil
}

// hardware returns what the driver of a robot runs on, and what to call when it has ended.
func (f *Fleet) hardware(m sim.Robot, g *member) (cfg driver.Config, done func() error, err error) {
	switch r := m.(type) {
	case *sim.Functional:
		h := &functional{agent: r}
		return driver.Config{Hardware: h, Camera: h.openCamera, CameraCalibration: h.lens(), CalibrationInMemory: true}, func() error { return nil }, nil
	case *sim.Firmware:
		if f.cfg.Hardware == nil {
			return cfg, nil, fmt.Errorf("%w: no hardware for robots of the firmware level", driver.ErrConfig)
		}
		return f.cfg.Hardware(r, g.node)
	}
	return cfg, nil, fmt.Errorf("%w: no driver for robots of the level %s", driver.ErrConfig, m.Level())
}

// drive makes the driver of a robot.
func (f *Fleet) drive(m sim.Robot, g *member) error {
	cfg, done, err := f.hardware(m, g)
	if err != nil {
		return err
	}
	cfg.Node, cfg.Clock, cfg.Calibrated = g.node, f.cfg.Clock, f.calibrations.of(g.node.Logger())
	d, err := driver.New(cfg)
	if err != nil {
		return errors.Join(err, done())
	}
	g.driver, g.done = d, done
	return nil
}

// Remove removes a robot from the network and stops its wheels. It fails if no robot has that name.
func (f *Fleet) Remove(name string) error {
	f.mu.Lock()
	g := f.members[name]
	delete(f.members, name)
	f.order = slices.DeleteFunc(f.order, func(n string) bool { return n == name })
	if g != nil && name == f.alone {
		f.alone = "" // one of its name that comes later has a namespace, as the others that come
	}
	f.mu.Unlock()
	if g == nil {
		return fmt.Errorf("%w: %q is not on the network", errName, name)
	}
	return f.withdraw(g)
}

// withdraw takes a robot off the network, and reports that it has left.
func (f *Fleet) withdraw(g *member) error {
	err := g.leave()
	if f.cfg.Left != nil {
		f.cfg.Left()
	}
	return err
}

// leave withdraws a robot.
func (g *member) leave() error {
	var errs []error
	switch {
	case g.universal != nil:
		return errors.Join(g.universal.Close(), g.node.Close())
	default:
		errs = append(errs, g.driver.Close(), g.done())
	}
	return errors.Join(append(errs, g.talk.close(), g.node.Close())...)
}

// Run advances the world and its robots on a clock until ctx ends, which returns nil, or a robot or the transport
// fails. The clock must be that of the world and of the fleet.
func (f *Fleet) Run(ctx context.Context, c *simclock.Clock) error {
	return c.Run(ctx, func() error {
		f.cfg.Simulation.Elapsed()
		return f.Step()
	})
}

// Step lets all robots do what is due at the clock's time: control cycles, commands and sensors of the drivers, what
// robots of other levels publish, and the messages between robots. A lost transport is an error.
func (f *Fleet) Step() error {
	select {
	case <-f.cfg.Transport.Done():
		return fmt.Errorf("fleet: %w", f.cfg.Transport.Err())
	default:
	}
	now := f.cfg.Clock.Now()
	f.cfg.Transport.Cork()
	defer f.cfg.Transport.Uncork()
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	come := f.otherParticipants()
	for _, name := range f.order {
		g := f.members[name]
		errs = append(errs, f.cfg.Perform(g.node, func() error { return f.step(g, now, come) }))
	}
	f.calibrations.report(now, f.cfg.Logger)
	return errors.Join(errs...)
}

// step lets a robot do what is due.
func (f *Fleet) step(g *member, now time.Time, come int) error {
	switch {
	case g.core != nil:
		return f.work(g, now, come)
	case g.universal != nil:
		return g.universal.Step(now)
	}
	if g.driver.Idle(now) {
		return g.talk.step()
	}
	return errors.Join(g.driver.Serve(), g.talk.step())
}

// Len returns the number of robots on the network.
func (f *Fleet) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.members)
}

// Status returns the state of a robot's driver; false if no robot of that name has one here.
func (f *Fleet) Status(name string) (health.Status, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.members[name]
	if g == nil || g.driver == nil {
		return health.Status{}, false
	}
	return g.driver.Status(), true
}

// Nodes returns the nodes of the robots, in the order of the world.
func (f *Fleet) Nodes() (all []*ros2.Node) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range f.order {
		all = append(all, f.members[name].node)
	}
	return all
}

// Follow adds robots to the network that were added to the world, and removes those that were removed from it.
func (f *Fleet) Follow() error {
	here := make(map[string]bool)
	var errs []error
	meet := func(name string, add func() error) {
		here[name] = true
		f.mu.Lock()
		known := f.members[name] != nil
		f.mu.Unlock()
		if !known {
			errs = append(errs, add())
		}
	}
	for _, m := range f.cfg.Simulation.Robots() {
		if m.Level() != world.LevelTarget {
			meet(m.Name(), func() error { return f.Add(m) })
		}
	}
	f.mu.Lock()
	var left []string
	for name := range f.members {
		if !here[name] {
			left = append(left, name)
		}
	}
	f.mu.Unlock()
	for _, name := range left {
		errs = append(errs, f.Remove(name))
	}
	return errors.Join(errs...)
}

// leavingTogether bounds how many robots leave the network at the same time: each closes up to a hundred endpoints in
// parallel, and an endpoint that waits for those of a thousand robots would be reported as stuck.
const leavingTogether = 16

// Close takes all robots off the network.
func (f *Fleet) Close() error {
	f.crowd.close()
	f.mu.Lock()
	members := f.members
	f.members, f.order = make(map[string]*member), nil
	f.mu.Unlock()
	var mu sync.Mutex
	var errs []error
	var group task.Group
	places := make(chan struct{}, leavingTogether)
	for _, g := range members {
		places <- struct{}{}
		group.Go("end of "+g.name, func() {
			defer func() { <-places }()
			err := f.withdraw(g)
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, err)
		})
	}
	group.Wait()
	f.calibrations.end(f.cfg.Logger)
	return errors.Join(errs...)
}
