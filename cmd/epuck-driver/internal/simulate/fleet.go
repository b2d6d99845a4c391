// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/livevideo"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/page"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/service"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/simclient"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/timesources"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/experiment/report"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// networked runs a world whose robots are nodes, and after it each further world that is requested. One robot is a
// fleet of one.
func (o *simOptions) networked(ctx context.Context, s frame.Streams, world *sim.World) error {
	o.source.Name = o.world
	for {
		err := o.fleet(ctx, s, world)
		if err != nil || ctx.Err() != nil || o.next == nil {
			return err
		}
		world, o.next, o.world = o.next, nil, o.source.Name
	}
}

// answering is the time, by the machine's clock, from the request of a new world to the end of the present one, for
// the response.
const answering = 200 * time.Millisecond

// restart ends the present run, after which src is loaded; the zero value is the present world.
func (o *simOptions) restart(src fleet.WorldSource, end func()) error {
	if src == (fleet.WorldSource{}) {
		src = o.source
	}
	next, err := o.load(src)
	if err != nil {
		return err
	}
	if o.next != nil {
		return fmt.Errorf("world %s begins already", o.source.Name)
	}
	if o.webots.Wanted() && (src.Unload || !timesources.HasRobots(next)) {
		return timesources.ErrNoRobot
	}
	o.source, o.next = src, next
	task.AfterFunc(answering, "end of a world", end)
	return nil
}

// load reads a world, by its name or its text, and applies the options of the command line.
func (o *simOptions) load(src fleet.WorldSource) (w *sim.World, err error) {
	if src.Text == "" && src.Name == o.traci.NetFile && src.Name != "" {
		w, err := o.firstWorld()
		if err != nil {
			return nil, err
		}
		return w, errors.Join(o.swarm.populate(w, o.seed), o.charge(w))
	}
	if src.Unload { // its robot is removed; robots that are added later are like it
		return loadWorld("empty", o.imu, o.without, nil)
	}
	if src.Text == "" {
		var settings []string
		if src.Name == o.settingsOf {
			settings = o.settings
		}
		w, err = loadWorld(src.Name, o.imu, o.without, settings)
	} else if w, err = sim.ParseWorld([]byte(src.Text)); err == nil {
		err = refit(w, o.imu, o.without)
	}
	if err != nil {
		return nil, err
	}
	if err := errors.Join(o.swarm.populate(w, o.seed), o.charge(w)); err != nil {
		return nil, err
	}
	return w, o.wrong.fit(w, o.seed)
}

// fleet runs all robots of a world as nodes on one participant.
func (o *simOptions) fleet(ctx context.Context, s frame.Streams, world *sim.World) (err error) {
	term := tty.NewTerminal(s.Err)
	if term != nil {
		defer term.Close()
	}
	log := slog.New(tty.LogTo(s.Err, term))
	whole := ctx // the context of all worlds
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o.aboard.wanted = hasTargets(world) && !o.source.Unload
	o.costs.wanted = hasCosts(world)
	clock, err := o.clock(log)
	if err != nil {
		return err
	}
	zero := clock.Now()
	simulation, err := o.populated(ctx, world, clock)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.aboard.close()) }()
	on := o.on
	// The emulated drivers would discover this node in the machine's time, and two equal runs would differ.
	on.Apart = o.aboard.wanted && o.swarm.traceHash && on.Transport != build.RCLGo // rcl reads the domain itself
	if on.Apart {
		log.Info("the simulation is in a DDS domain of its own: with --trace-hash, runs of level target repeat")
	}
	args, err := o.simulationArgs(!o.alone(world), log)
	if err != nil {
		return err
	}
	session, err := network.Join(simclient.SimulationNode, true, on, args, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	fixed, err := o.order.prepare(session.Transport)
	if err != nil {
		return err
	}
	sole := o.soleRobot(world)
	robots, err := o.robots(session, fixed, simulation, world, clock, sole, log)
	if err != nil {
		return errors.Join(err, fixed.end())
	}
	defer func() {
		clock.Release() // for drivers that wait while they stop the wheels
		err = errors.Join(err, fixed.end(), robots.Close())
	}()
	if err := sole.declare(&o.site); err != nil {
		return err
	}
	if err := sole.begin(ctx, o.facts(), traceOf(simulation)); err != nil {
		return err
	}
	defer sole.end()
	network.WarnUnused(log, o.ros, append(robots.Nodes(), session.Node)...)
	view, err := o.view(session.Node, world, simulation, clock)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	host, err := o.host(session.Node, world, simulation, robots, clock, view, func(src fleet.WorldSource) error { return o.restart(src, cancel) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(host.Close(), err) }() // before the robots leave
	systemd := service.NewSupervisor(log)
	systemd.Continues = func() bool { return o.next != nil && whole.Err() == nil }
	run := &fleetRun{o: o, sole: sole, systemd: systemd, clock: clock, sim: simulation, robots: robots, cancel: cancel, ctx: ctx, zero: zero}
	release, err := run.timeSource(world, fixed, log)
	defer func() { err = errors.Join(err, release()) }()
	if err != nil {
		return err
	}
	if o.swarm.report != "" {
		run.record = report.New(fmt.Sprintf("World %s, seed %d", o.world, o.seed))
	}
	if err := run.greet(s.Out, session.Node); err != nil {
		return err
	}
	closeSite, err := livevideo.Show(&o.site, session.Transport, sole.video(), sole.namespace(), s.Out, o.ros.Logger(log, page.LoggerName))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeSite()) }()
	err = o.withTruths(ctx, simulation.Robots(), func(ctx context.Context) error { return run.letTimePass(ctx, session.Node, term) })
	if err != nil {
		return err
	}
	return run.finish(s.Out)
}

// robots creates the nodes of the robots of a world.
func (o *simOptions) robots(s *network.Session, fixed *fixedOrder, simulation *sim.Simulation, w *sim.World, clock *simclock.Clock, sole *soleRobot, log *slog.Logger) (*fleet.Fleet, error) {
	cores, err := o.cores(clock)
	if err != nil {
		return nil, err
	}
	return fleet.New(fleet.Config{
		Simulation: simulation, Transport: fixed.transport(s.Transport), Callbacks: fixed.callbacks(), Perform: fixed.perform(),
		Clock: clock, Logger: log,
		Alone:    o.alone(w),
		Args:     o.robotArgs(s.Node.Name().Namespace),
		Hardware: o.hardware(sole, log), Trace: o.swarm.traceHash || fixed != nil, Core: cores,
		Settings: o.swarm.model.settingsOf(w),
		Left:     o.left, Endpoints: participantEndpoints,
	})
}

// participantEndpoints is the maximum number of writers, and of readers, of a participant: the default of
// rtps.Limits.LocalEndpoints.
const participantEndpoints = 1 << 17

// populated creates the simulation of a world; if no world is loaded, without its robots.
func (o *simOptions) populated(ctx context.Context, w *sim.World, clock *simclock.Clock) (*sim.Simulation, error) {
	s, err := o.aboard.newWorld(ctx, o, w, clock)
	if err != nil || !o.source.Unload {
		return s, err
	}
	for _, r := range w.Robots {
		err = errors.Join(err, s.Remove(r.Name))
	}
	return s, err
}

// ownTime reports whether the time of the world starts at 0, so that a run can be repeated; otherwise it starts at
// the present time, as that of a real robot.
func (o *simOptions) ownTime() bool {
	return o.swarm.speed != 1 || o.swarm.traceHash || o.aboard.wanted || o.costs.wanted || o.held()
}

// alone reports whether a world's only robot has the names of a single robot. It has not if others may be added by
// TraCI, or if no world is loaded.
func (o *simOptions) alone(w *sim.World) bool {
	return len(w.Robots) == 1 && !o.traci.Wanted() && !o.source.Unload
}

// clock creates the world's clock. A world that is restarted starts at the first one's time.
func (o *simOptions) clock(log *slog.Logger) (*simclock.Clock, error) {
	cfg := simclock.Config{Epoch: time.Unix(0, 0), Factor: o.swarm.speed, OnLate: logStalledTime(log)}
	if !o.ownTime() {
		if o.epoch.IsZero() {
			o.epoch = time.Now()
		}
		cfg.Epoch = o.epoch
	}
	return simclock.New(cfg)
}

// simulated returns the options of a world on a clock. Transfers on its buses take no time: the clock does not change
// while robots act.
func (o *simOptions) simulated(clock *simclock.Clock) sim.Options {
	return sim.Options{Seed: o.seed, Now: clock.Now, Wait: clock.Wait, MaxCatchUp: -1, Trace: true, Mechanisms: models()}
}

// simulationArgs returns the arguments of the simulation's node: those of the command line except for a node name,
// which is that of the only robot's node.
func (o *simOptions) simulationArgs(several bool, log *slog.Logger) (ros2.Args, error) {
	name, err := o.ros.NodeName(simclient.SimulationNode, "/")
	if err != nil {
		return ros2.Args{}, err
	}
	if several && name.Name != simclient.SimulationNode {
		log.Warn("__node has no effect: it names the node of a single robot", "name", name.Name)
	}
	args, _, err := ros2.ParseArgs(append([]string{frame.ROSArgs, "-r", "__ns:=" + name.Namespace}, o.rosLine...))
	return args, err
}

// robotArgs returns the function that computes the ROS arguments of a robot's node: those of the command line, with
// the robot's namespace below that of the command line.
func (o *simOptions) robotArgs(outer string) func(namespace, prefix string) (ros2.Args, error) {
	return func(namespace, prefix string) (ros2.Args, error) {
		if prefix == "" { // the only robot has the names of the command line
			return o.ros, nil
		}
		if outer != "/" {
			namespace = strings.TrimSuffix(outer+namespace, "/")
		}
		own := []string{frame.ROSArgs, "-r", "__ns:=" + namespace, "-p", "frame_prefix:=" + prefix}
		args, _, err := ros2.ParseArgs(append(own, o.rosLine...))
		return args, err
	}
}

// openHardware opens the hardware of a simulated robot's driver; done closes it.
type openHardware = func(r fleet.Chips, n *ros2.Node) (cfg driver.Config, done func() error, err error)

// hardware returns the function that opens the buses of a simulated robot; sole is nil, or adds the equipment of the
// only robot.
func (o *simOptions) hardware(sole *soleRobot, log *slog.Logger) openHardware {
	if o.open != nil {
		return o.open
	}
	return func(r fleet.Chips, n *ros2.Node) (driver.Config, func() error, error) {
		hw, err := o.hardwareOf(r)
		if err != nil {
			return driver.Config{}, nil, err
		}
		cfg := hw.Config(n)
		if err := sole.equip(r, n, hw.Optics, &cfg, log); err != nil {
			return driver.Config{}, nil, errors.Join(err, hw.Close())
		}
		return cfg, func() error {
			sole.left(r.Name())
			return hw.Close()
		}, nil
	}
}
