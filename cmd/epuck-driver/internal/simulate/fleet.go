// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/blackbox"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/holders"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/hold"
	"github.com/epuck-ros2/epuck-driver/swarm/fleet"
	"github.com/epuck-ros2/epuck-driver/swarm/report"
)

// simulationNode is the name of the node that tells of the simulation itself: /clock and /diagnostics.
const simulationNode = "simulation"

// fleets runs a world, and another one when it is asked for.
func (o *simOptions) fleets(ctx context.Context, s frame.Streams, world *sim.World) error {
	o.source.Name = o.world
	for {
		err := o.fleet(ctx, s, world)
		if err != nil || ctx.Err() != nil || o.next == nil {
			return err
		}
		world, o.next, o.world = o.next, nil, o.source.Name
	}
}

// answering is how long a simulation lives on when a new one is asked for, of the machine's time: the answer leaves.
const answering = 200 * time.Millisecond

// restart lets a world begin anew, or another one, when the present run has ended.
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
	if o.webots.Wanted() && (src.Unload || !holders.HasEPucks(next)) {
		return holders.ErrNoEPuck
	}
	o.source, o.next = src, next
	task.AfterFunc(answering, "end of a world", end)
	return nil
}

// load reads a world, by its name or its text, and changes it as the command line wants it.
func (o *simOptions) load(src fleet.WorldSource) (w *sim.World, err error) {
	if src.Unload { // its robot stays away; those that come are like it
		return loadWorld("empty", o.imu, o.without)
	}
	if src.Text == "" {
		w, err = loadWorld(src.Name, o.imu, o.without)
	} else if w, err = sim.ParseWorld([]byte(src.Text)); err == nil {
		err = refit(w, o.imu, o.without)
	}
	if err != nil {
		return nil, err
	}
	return w, errors.Join(o.swarm.populate(w, o.seed), o.charge(w))
}

// fleet runs all robots of a world as nodes on one participant.
func (o *simOptions) fleet(ctx context.Context, s frame.Streams, world *sim.World) (err error) {
	term := tty.NewTerminal(s.Err)
	if term != nil {
		defer term.Close()
	}
	log := slog.New(tty.LogTo(s.Err, term))
	var duration time.Duration
	if !o.simulatedTime() {
		duration = o.duration
	}
	ctx, cancel := frame.Limited(ctx, duration)
	defer cancel()
	o.aboard.wanted = hasTargets(world) && !o.source.Unload
	o.costs.wanted = hasCosts(world)
	pace, err := o.pace()
	if err != nil {
		return err
	}
	zero := pace.Now()
	simulation, err := o.populated(ctx, world, pace)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.aboard.close()) }()
	session, err := network.Join(simulationNode, true, o.on, o.ros, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	fixed, err := o.order.prepare(session.Transport)
	if err != nil {
		return err
	}
	robots, err := o.robots(session, fixed, simulation, world, pace, log)
	if err != nil {
		return errors.Join(err, fixed.end())
	}
	defer func() { err = errors.Join(err, fixed.end(), robots.Close()) }()
	view, err := o.view(session.Node, world, simulation)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	host, err := o.host(session.Node, world, simulation, robots, pace, view, func(src fleet.WorldSource) error { return o.restart(src, cancel) })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(host.Close(), err) }() // before the robots leave
	run := &fleetRun{o: o, pace: pace, sim: simulation, robots: robots, cancel: cancel, ctx: ctx, zero: zero}
	server, held, err := o.timeServer(world, simulation, robots, log)
	if err != nil {
		return err
	}
	if server != nil {
		defer func() { err = errors.Join(err, server.Close()) }()
		run.holder, run.held = server, held
	}
	if o.lock.on {
		lock, err := o.lock.hold(session.Node, log)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, lock.Close()) }()
		run.holder, run.held = lock, "in lockstep with whom --wait-for and --answer name"
	}
	if err := fixed.lead(run); err != nil {
		return err
	}
	if o.swarm.report != "" {
		run.record = report.New(fmt.Sprintf("World %s, seed %d", o.world, o.seed))
	}
	if err := run.greet(s.Out, session.Node); err != nil {
		return err
	}
	closeSite, err := o.show(session, s.Out, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeSite()) }()
	if err := run.letTimePass(ctx, session.Node, term); err != nil {
		return err
	}
	return run.finish(s.Out)
}

// robots puts the robots of a world on the network.
func (o *simOptions) robots(s *network.Session, fixed *fixedOrder, simulation *sim.Simulation, w *sim.World, pace *fleet.Pace, log *slog.Logger) (*fleet.Fleet, error) {
	cores, err := o.cores(pace)
	if err != nil {
		return nil, err
	}
	return fleet.New(fleet.Config{
		Simulation: simulation, Transport: fixed.transport(s.Transport), Callbacks: fixed.callbacks(), Clock: pace, Logger: log,
		Alone:    o.alone(w),
		Args:     o.robotArgs(s.Node.Name().Namespace),
		Hardware: simulatedHardware, Lockstep: o.lockstep(), Trace: o.swarm.traceHash, Core: cores,
		Settings: o.swarm.model.settingsOf(w),
	})
}

// populated makes the simulation of a world; where none is loaded, without its robots.
func (o *simOptions) populated(ctx context.Context, w *sim.World, pace *fleet.Pace) (*sim.Simulation, error) {
	s, err := o.newWorld(ctx, w, pace)
	if err != nil || !o.source.Unload {
		return s, err
	}
	for _, r := range w.Robots {
		err = errors.Join(err, s.Remove(r.Name))
	}
	return s, err
}

// greet says what runs, or that nothing does.
func (r *fleetRun) greet(w io.Writer, n *ros2.Node) error {
	if !r.o.source.Unload {
		return r.printStart(w, n)
	}
	_, err := fmt.Fprintln(w, "No world is loaded: the service load_world brings one, spawn_entity a robot.")
	return err
}

// simulatedTime reports whether time is the world's own: it begins at 0, and durations are of it.
func (o *simOptions) simulatedTime() bool { return o.swarm.speed != 1 || o.lockstep() }

// lockstep reports whether time stands while everybody works, so that a run repeats.
func (o *simOptions) lockstep() bool {
	return o.swarm.traceHash || o.aboard.wanted || o.costs.wanted || o.held()
}

// alone reports whether a world's only robot has the names of a single robot: others may come to it by TraCI, or
// to where no world is.
func (o *simOptions) alone(w *sim.World) bool {
	return len(w.Robots) == 1 && !o.traci.Wanted() && !o.source.Unload
}

// stride is how far time goes at once in a run that is to repeat: what robots of the functional level need.
const stride = 10 * time.Millisecond

// pace makes the world's clock. It shows the present time at speed 1, as a real robot does. In a run whose trace is
// asked for it stands still while the nodes work.
func (o *simOptions) pace() (*fleet.Pace, error) {
	switch {
	case o.lockstep():
		return fleet.NewSteps(time.Unix(0, 0), o.swarm.speed, stride)
	case o.simulatedTime():
		return fleet.NewPace(time.Unix(0, 0), o.swarm.speed)
	}
	if o.epoch.IsZero() {
		o.epoch = time.Now()
	}
	return fleet.NewPace(o.epoch, o.swarm.speed) // a world that begins anew shows the first one's time again
}

// simulated says how the world runs on a clock. In lockstep transfers on the buses take no time: the clock stands.
func (o *simOptions) simulated(pace *fleet.Pace) sim.Options {
	opts := sim.Options{
		Seed: o.seed, Now: pace.Now, Sleep: pace.Sleep, Wait: pace.Wait, MaxCatchUp: -1, Trace: true, Guests: models(),
	}
	if o.lockstep() {
		opts.Sleep = nil
	}
	return opts
}

// robotArgs returns what gives the node of a robot its arguments: those of the command line, with the robot's namespace
// below that of the command line.
func (o *simOptions) robotArgs(outer string) func(namespace, prefix string) (ros2.Args, error) {
	return func(namespace, prefix string) (ros2.Args, error) {
		if outer != "/" {
			namespace = outer + namespace
		}
		own := []string{frame.ROSArgs, "-r", "__ns:=" + namespace}
		if prefix != "" {
			own = append(own, "-p", "frame_prefix:="+prefix)
		}
		args, _, err := ros2.ParseArgs(append(own, o.rosLine...))
		return args, err
	}
}

// simulatedHardware is what the driver of a simulated robot runs on.
func simulatedHardware(r *sim.Robot, n *ros2.Node) (driver.Config, func() error, error) {
	hw, err := hardware.Simulated(r)
	if err != nil {
		return driver.Config{}, nil, err
	}
	return hw.Config(n), hw.Close, nil
}

// fleetRun is a world that runs with its robots on the network.
type fleetRun struct {
	o      *simOptions
	pace   *fleet.Pace
	sim    *sim.Simulation
	robots *fleet.Fleet
	cancel context.CancelFunc
	facts  *blackbox.Teller // for recordings
	begun  time.Time
	record *report.Recorder // nil: no report
	holder hold.Holder      // nil: the machine's clock
	held   string           // by whom, for people
	ctx    context.Context  //nolint:containedctx // of the run, for what is computed in it
	zero   time.Time        // what the clock shows at the age 0
}

// letTimePass lets time pass until ctx ends or the simulated duration is over.
func (r *fleetRun) letTimePass(ctx context.Context, n *ros2.Node, term *tty.Terminal) error {
	teller, err := fleet.NewTeller(n, r.pace, r.sim)
	if err != nil {
		return err
	}
	if r.facts, err = blackbox.NewTeller(n, r.o.facts(), traceOf(r.sim)); err != nil {
		return errors.Join(err, teller.Close())
	}
	teller.TellCores(r.processors)
	ctx, cancel := context.WithCancel(ctx)
	var group task.Group
	defer group.Wait()
	defer cancel()
	r.begun = time.Now()
	var failed error // of the goroutine, for when it has ended
	group.Go("simulated time", func() {
		if r.holder != nil {
			failed = r.pace.Hold(ctx, r.holder, func() error { return r.advance(teller) })
			cancel()
			return
		}
		r.pace.Run(ctx, func() {
			if err := r.advance(teller); err != nil {
				failed = err
				cancel()
			}
		})
	})
	if term != nil {
		group.Go("status line", func() { tty.ShowText(ctx, term, teller.Status) })
	}
	err = r.robots.Run(ctx)
	cancel()
	group.Wait()
	r.facts.End()
	return errors.Join(err, failed, teller.Close())
}

// advance lets the world reach the time of the clock, and everybody who goes with it.
func (r *fleetRun) advance(teller *fleet.Teller) error {
	if err := r.o.aboard.advance(r.ctx, r.pace.Now().Sub(r.zero)); err != nil {
		return err
	}
	age := r.sim.Elapsed()
	teller.Tick()
	r.facts.Tick()
	if r.o.lockstep() {
		if err := r.robots.Step(); err != nil {
			return err
		}
	}
	if r.record != nil {
		r.record.Observe(age, r.sim)
	}
	if r.o.duration > 0 && r.o.simulatedTime() && age >= r.o.duration {
		r.cancel() // the clock stops at once
	}
	return nil
}

// printStart says what runs and what to do next.
func (r *fleetRun) printStart(w io.Writer, n *ros2.Node) error {
	var names []string
	for _, m := range r.sim.Members() {
		names = append(names, m.Name())
	}
	for _, v := range r.sim.Visitors() {
		names = append(names, v.Name())
	}
	agents, others := len(r.sim.Agents()), ""
	if n := len(r.sim.Visitors()); n > 0 {
		others = fmt.Sprintf(", %d with the universal driver", n)
	}
	speed := "as fast as it can"
	switch {
	case r.holder != nil:
		speed = r.held
	case !math.IsInf(r.o.swarm.speed, 1):
		speed = fmt.Sprintf("at speed %g", r.o.swarm.speed)
	}
	first, ns := names[0], n.Name().Namespace
	if ns == "/" {
		ns = ""
	}
	if len(names) > 1 || r.o.traci.Wanted() {
		ns += "/" + first
	}
	_, err := fmt.Fprintf(w, `%d simulated robots in world %q (seed %d), %d with the real driver and %d functional%s, %s.
Robot %q is node %s/%s; drive it from another shell:
  %s drive 0.05 0.5 --for 4s --ros-args -r __ns:=%s
or from any ROS 2 machine of this network and domain:
  ros2 topic echo %s/odom
  ros2 topic pub -r 10 %s/cmd_vel geometry_msgs/msg/Twist '{linear: {x: 0.05}, angular: {z: 0.5}}'
Ctrl-C ends it.
`, len(names), r.o.world, r.o.seed, len(r.sim.Robots()), agents, others, speed, first, ns, driver.NodeName, os.Args[0], cmp.Or(ns, "/"), ns, ns)
	return err
}

// finish writes what was asked for at the end.
func (r *fleetRun) finish(w io.Writer) error {
	if late := r.pace.Late(); late > 0 {
		if _, err := fmt.Fprintf(w, "The world was too slow: %.3f s of simulated time were late in %.1f s.\n", late.Seconds(), time.Since(r.begun).Seconds()); err != nil {
			return err
		}
	}
	if err := errors.Join(r.tellProcessors(w), r.o.aboard.end(w)); err != nil {
		return err
	}
	return finish(w, r.record, r.o.swarm.report, r.o.swarm.traceHash, r.sim)
}
