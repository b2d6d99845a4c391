// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package main

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

// fleet runs all robots of a world as nodes on one participant.
func (o *simOptions) fleet(ctx context.Context, s streams, world *sim.World) (err error) {
	term := newTerminal(s.err)
	if term != nil {
		defer term.Close()
	}
	log := slog.New(logTo(s.err, term))
	var duration time.Duration
	if !o.simulatedTime() {
		duration = o.duration
	}
	ctx, cancel := limited(ctx, duration)
	defer cancel()
	pace, err := o.pace()
	if err != nil {
		return err
	}
	simulation, err := sim.New(world, o.simulated(pace))
	if err != nil {
		return err
	}
	session, err := join(simulationNode, true, o.on, o.ros, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	robots, err := fleet.New(fleet.Config{
		Simulation: simulation, Transport: session.transport, Clock: pace, Logger: log, Alone: o.alone(world),
		Args:     o.robotArgs(session.node.Name().Namespace),
		Hardware: simulatedHardware, Lockstep: o.lockstep(), Trace: o.swarm.traceHash,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, robots.Close()) }()
	view, err := o.view(session.node, world, simulation)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	host, err := o.host(session.node, world, simulation, robots, pace, view)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(host.Close(), err) }() // before the robots leave
	run := &fleetRun{o: o, pace: pace, sim: simulation, robots: robots, cancel: cancel}
	if o.traci.wanted() {
		server, err := o.traci.listen(world, simulation, robots, log)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, server.Close()) }()
		run.holder, run.held = server, "held by TraCI clients at "+server.Addr().String()
	}
	if o.lock.on {
		lock, err := o.lock.hold(session.node, log)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, lock.Close()) }()
		run.holder, run.held = lock, "in lockstep with whom --wait-for and --answer name"
	}
	if o.swarm.report != "" {
		run.record = report.New(fmt.Sprintf("World %s, seed %d", o.world, o.seed))
	}
	if err := run.printStart(s.out, session.node); err != nil {
		return err
	}
	closeSite, err := o.show(session, s.out, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeSite()) }()
	if err := run.letTimePass(ctx, session.node, term); err != nil {
		return err
	}
	return run.finish(s.out)
}

// simulatedTime reports whether time is the world's own: it begins at 0, /clock tells it, and durations are of it.
func (o *simOptions) simulatedTime() bool { return o.swarm.speed != 1 || o.lockstep() }

// lockstep reports whether time stands while everybody works, so that a run repeats.
func (o *simOptions) lockstep() bool { return o.swarm.traceHash || o.traci.wanted() || o.lock.on }

// alone reports whether a world's only robot has the names of a single robot: others may come to it by TraCI.
func (o *simOptions) alone(w *sim.World) bool { return len(w.Robots) == 1 && !o.traci.wanted() }

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
	return fleet.NewPace(time.Now(), o.swarm.speed)
}

// simulated says how the world runs on a clock. In lockstep transfers on the buses take no time: the clock stands.
func (o *simOptions) simulated(pace *fleet.Pace) sim.Options {
	opts := sim.Options{
		Seed: o.seed, Now: pace.Now, Sleep: pace.Sleep, Wait: pace.Wait, MaxCatchUp: -1, Trace: true,
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
		own := []string{rosArgs, "-r", "__ns:=" + namespace}
		if prefix != "" {
			own = append(own, "-p", "frame_prefix:="+prefix)
		}
		args, _, err := ros2.ParseArgs(append(own, o.rosLine...))
		return args, err
	}
}

// simulatedHardware is what the driver of a simulated robot runs on.
func simulatedHardware(r *sim.Robot, n *ros2.Node) (driver.Config, func() error, error) {
	hw, err := simulated(r)
	if err != nil {
		return driver.Config{}, nil, err
	}
	return hw.config(n), hw.close, nil
}

// fleetRun is a world that runs with its robots on the network.
type fleetRun struct {
	o      *simOptions
	pace   *fleet.Pace
	sim    *sim.Simulation
	robots *fleet.Fleet
	cancel context.CancelFunc
	facts  *runTeller // for recordings
	begun  time.Time
	record *report.Recorder // nil: no report
	holder hold.Holder      // nil: the machine's clock
	held   string           // by whom, for people
}

// letTimePass lets time pass until ctx ends or the simulated duration is over.
func (r *fleetRun) letTimePass(ctx context.Context, n *ros2.Node, term *terminal) error {
	teller, err := fleet.NewTeller(n, r.pace, r.sim, r.robots, r.o.simulatedTime())
	if err != nil {
		return err
	}
	if r.facts, err = newRunTeller(n, r.o.facts(), traceOf(r.sim)); err != nil {
		return errors.Join(err, teller.Close())
	}
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
		group.Go("status line", func() { showText(ctx, term, teller.Status) })
	}
	err = r.robots.Run(ctx)
	cancel()
	group.Wait()
	r.facts.end()
	return errors.Join(err, failed, teller.Close())
}

// advance lets the world reach the time of the clock, and everybody who goes with it.
func (r *fleetRun) advance(teller *fleet.Teller) error {
	age := r.sim.Elapsed()
	teller.Tick()
	r.facts.tick()
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

// showText keeps the status line current until ctx ends.
func showText(ctx context.Context, t *terminal, text func() string) {
	tick := time.NewTicker(statusPeriod)
	defer tick.Stop()
	for {
		t.SetStatus(text())
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// printStart says what runs and what to do next.
func (r *fleetRun) printStart(w io.Writer, n *ros2.Node) error {
	members := r.sim.Members()
	agents := len(r.sim.Agents())
	speed := "as fast as it can"
	switch {
	case r.holder != nil:
		speed = r.held
	case !math.IsInf(r.o.swarm.speed, 1):
		speed = fmt.Sprintf("at speed %g", r.o.swarm.speed)
	}
	first, ns := members[0].Name(), n.Name().Namespace
	if ns == "/" {
		ns = ""
	}
	if len(members) > 1 || r.o.traci.wanted() {
		ns += "/" + first
	}
	_, err := fmt.Fprintf(w, `%d simulated robots in world %q (seed %d), %d with the real driver and %d functional, %s.
Robot %q is node %s/%s; drive it from another shell:
  %s drive 0.05 0.5 --for 4s --ros-args -r __ns:=%s
or from any ROS 2 machine of this network and domain:
  ros2 topic echo %s/odom
  ros2 topic pub -r 10 %s/cmd_vel geometry_msgs/msg/Twist '{linear: {x: 0.05}, angular: {z: 0.5}}'
Ctrl-C ends it.
`, len(members), r.o.world, r.o.seed, len(members)-agents, agents, speed, first, ns, driver.NodeName, os.Args[0], cmp.Or(ns, "/"), ns, ns)
	return err
}

// finish writes what was asked for at the end.
func (r *fleetRun) finish(w io.Writer) error {
	if late := r.pace.Late(); late > 0 {
		if _, err := fmt.Fprintf(w, "The world was too slow: %.3f s of simulated time were late in %.1f s.\n", late.Seconds(), time.Since(r.begun).Seconds()); err != nil {
			return err
		}
	}
	return finish(w, r.record, r.o.swarm.report, r.o.swarm.traceHash, r.sim)
}

// hold makes the holder of the time.
func (o *lockstepOptions) hold(n *ros2.Node, log *slog.Logger) (*fleet.Lockstep, error) {
	return fleet.NewLockstep(fleet.LockstepConfig{
		Node: n, Step: stride, WaitFor: o.waitFor, Answers: o.answers, Limit: o.limit,
		OnLate: func(waits string) { log.Warn("time stands", slog.String("waits_for", waits)) },
	})
}
