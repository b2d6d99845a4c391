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

// Config configures a [Fleet].
type Config struct {
	// Simulation is the world. It is required.
	Simulation *sim.Simulation
	// Transport carries all nodes' messages. It is required; the fleet does not close it.
	Transport ros2.Transport
	// Args returns the command line's arguments for the node of a robot, with its namespace and its frame prefix. It
	// defaults to only these two.
	Args func(namespace, prefix string) (ros2.Args, error)
	// Hardware returns the driver configuration for a robot of the firmware level, and a function to call when the
	// driver has ended. It is required if there are such robots.
	Hardware func(r Chips, n *ros2.Node) (cfg driver.Config, done func() error, err error)
	// Callbacks returns the callback group of a node; nil: callbacks run when messages arrive.
	Callbacks func() ros2.CallbackGroup
	// Perform runs a robot's part of a step, for its node; nil: it is called directly.
	Perform func(n *ros2.Node, step func() error) error
	// Clock is the simulated time. It should not change during [Fleet.Step], as a [simclock.Clock] does not. It
	// defaults to the machine's clock.
	Clock ros2.Clock
	// Logger receives log lines. It defaults to none.
	Logger *slog.Logger
	// Trace adds every message that the robots' nodes publish to the world's trace (sim.Options.Trace), as CDR; all
	// topics are published for that, also without a subscriber. Excluded is what depends on the machine or on
	// observers: pictures, diagnostics, logs, parameter changes, service responses.
	Trace bool
	// Core returns the simulated processor of a robot, nil for a robot whose work takes no time. It defaults to none.
	Core func(m sim.Robot) (*core.Core, error)
	// Settings are the settings files of the generic driver by robot model. It defaults to none.
	Settings map[string]*genericdriver.File
	// Alone gives a world's only robot no namespace and no frame prefix, as a real robot has. Robots that are added
	// later have theirs.
	Alone bool
	// Endpoints is the maximum number of writers, and of readers, of the transport. If the robots need more, New
	// fails with [ErrSpace] after it has created the first robot of each kind. It defaults to 0: not checked.
	Endpoints int
	// Left, if set, is called when a robot has left the network, on any goroutine. It must not block.
	Left func()
}

// Fleet is the robots of a world on a network. All methods may be called from any goroutine. Robots act only in
// [Fleet.Step], in the order of the world: control cycles, sensors and actuators, and publishing.
type Fleet struct {
	cfg        Config
	parameters table.Declarations // of the drivers' nodes

	mu      sync.Mutex
	alone   string // name of the robot without a namespace; empty: none
	members map[string]*member
	order   []*member // as in the world
	peers   peerCounter
	// calibrations have their own lock.
	calibrations calibrations
	// warnedModels are the models whose unsupported parts have been logged.
	warnedModels map[string]bool
}

// member is a robot on the network.
type member struct {
	name   string
	node   *ros2.Node
	server server
	talk   *talk      // nil: the robot has no topics for messages by infrared
	core   *core.Core // nil: its work takes no time
	robot  sim.Robot  // with a core
	next   time.Time  // with a core: next update of the battery's current
}

// New puts all robots of the world on the network. After an error none of them is on it.
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
	f := &Fleet{cfg: cfg, parameters: table.NewDeclarations(), members: make(map[string]*member)}
	if cfg.Core != nil {
		f.peers.watch(cfg.Transport)
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

// Add puts a robot of the world on the network; a robot with a description gets the generic driver. It fails if a
// robot with that name is on the network.
func (f *Fleet) Add(r sim.Robot) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	name := r.Name()
	if f.members[name] != nil {
		return fmt.Errorf("%w: %q is on the network", errName, name)
	}
	g, err := f.join(r)
	if err != nil {
		return fmt.Errorf("robot %q: %w", name, err)
	}
	f.members[name] = g
	f.order = append(f.order, g)
	return nil
}

// newNode creates the node of a robot. called is its name unless the command line sets another, record writes its
// messages to the trace, declare declares its parameters before they can be requested, and its work is charged to
// own, if not nil.
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

// newMember creates the node of an e-puck2 and, if its work takes time, its processor.
func (f *Fleet) newMember(m sim.Robot) (*member, error) {
	own, err := f.coreOf(m)
	if err != nil {
		return nil, err
	}
	node, err := f.newNode(m.Name(), driver.NodeName, m.Record, f.parameters.In, own)
	if err != nil {
		return nil, err
	}
	return &member{name: m.Name(), node: node, core: own, robot: m}, nil
}

// Remove removes a robot from the network and stops its wheels. It fails if no robot has that name.
func (f *Fleet) Remove(name string) error {
	f.mu.Lock()
	g := f.members[name]
	delete(f.members, name)
	f.order = slices.DeleteFunc(f.order, func(other *member) bool { return other == g })
	if g != nil && name == f.alone {
		f.alone = "" // a later robot of that name has a namespace, as all added robots have
	}
	f.mu.Unlock()
	if g == nil {
		return fmt.Errorf("%w: %q is not on the network", errName, name)
	}
	return f.closeMember(g)
}

// closeMember takes a robot off the network and calls Config.Left.
func (f *Fleet) closeMember(g *member) error {
	err := g.close()
	if f.cfg.Left != nil {
		f.cfg.Left()
	}
	return err
}

// close stops the robot's server and closes its topics and its node.
func (g *member) close() error { return errors.Join(g.server.close(), g.talk.close(), g.node.Close()) }

// Run advances the world and its robots on a clock until ctx ends, when it returns nil, or a robot or the transport
// fails. The clock must be that of the world and of the fleet.
func (f *Fleet) Run(ctx context.Context, c *simclock.Clock) error {
	return c.Run(ctx, func() error {
		f.cfg.Simulation.Elapsed()
		return f.Step()
	})
}

// Step executes what is due at the clock's time for all robots: control cycles, commands and sensors of the drivers,
// publications of robots of other levels, and messages between robots. A lost transport is an error.
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
	joined := f.otherParticipants()
	for _, g := range f.order {
		var err error
		if f.cfg.Perform == nil {
			err = f.step(g, now, joined)
		} else {
			err = f.cfg.Perform(g.node, func() error { return f.step(g, now, joined) })
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	f.calibrations.report(now, f.cfg.Logger)
	return errors.Join(errs...)
}

// step executes what is due for one robot.
func (f *Fleet) step(g *member, now time.Time, joined int) error {
	if g.core != nil {
		return f.work(g, now, joined)
	}
	return errors.Join(g.server.step(now), g.talk.step())
}

// Len returns the number of robots on the network.
func (f *Fleet) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.members)
}

// Status returns the state of a robot's driver; false if there is no such robot, or it has no driver.
func (f *Fleet) Status(name string) (health.Status, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.members[name]
	if g == nil {
		return health.Status{}, false
	}
	return g.server.status()
}

// Nodes returns the nodes of the robots, in the order of the world.
func (f *Fleet) Nodes() (all []*ros2.Node) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, g := range f.order {
		all = append(all, g.node)
	}
	return all
}

// Follow adds robots that were added to the world to the network, and removes those that were removed from the world.
func (f *Fleet) Follow() error {
	present := make(map[string]bool)
	var errs []error
	addNew := func(name string, add func() error) {
		present[name] = true
		f.mu.Lock()
		known := f.members[name] != nil
		f.mu.Unlock()
		if !known {
			errs = append(errs, add())
		}
	}
	for _, m := range f.cfg.Simulation.Robots() {
		if m.Level() != world.LevelTarget {
			addNew(m.Name(), func() error { return f.Add(m) })
		}
	}
	f.mu.Lock()
	var left []string
	for name := range f.members {
		if !present[name] {
			left = append(left, name)
		}
	}
	f.mu.Unlock()
	for _, name := range left {
		errs = append(errs, f.Remove(name))
	}
	return errors.Join(errs...)
}

// maxConcurrentCloses is how many robots are closed at the same time: each closes up to a hundred endpoints in
// parallel, and an endpoint that waits for those of a thousand robots would be reported as stuck.
const maxConcurrentCloses = 16

// Close takes all robots off the network.
func (f *Fleet) Close() error {
	f.peers.close()
	f.mu.Lock()
	members := f.members
	f.members, f.order = make(map[string]*member), nil
	f.mu.Unlock()
	var mu sync.Mutex
	var errs []error
	var group task.Group
	places := make(chan struct{}, maxConcurrentCloses)
	for _, g := range members {
		places <- struct{}{}
		group.Go("end of "+g.name, func() {
			defer func() { <-places }()
			err := f.closeMember(g)
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, err)
		})
	}
	group.Wait()
	f.calibrations.end(f.cfg.Logger)
	return errors.Join(errs...)
}
