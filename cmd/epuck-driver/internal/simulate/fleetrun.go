// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/blackbox"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/service"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/experiment/report"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/timesource"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// fleetRun is the run of a world with its robots on the network.
type fleetRun struct {
	o       *simOptions
	sole    *soleRobot // nil: none
	systemd *service.Supervisor
	clock   *simclock.Clock
	sim     *sim.Simulation
	robots  *fleet.Fleet
	cancel  context.CancelFunc
	facts   atomic.Pointer[blackbox.FactsPublisher] // for recordings; nil: the only robot's node publishes them
	begun   time.Time
	record  *report.Recorder  // nil: no report
	source  timesource.Source // nil: the machine's clock
	held    string            // the description of the time source
	ctx     context.Context   //nolint:containedctx // of the run, for computations in it
	zero    time.Time         // the clock's time at age 0
}

// timeSource sets the time source unless it is the machine's clock. release is never nil.
func (r *fleetRun) timeSource(w *sim.World, fixed *fixedOrder, log *slog.Logger) (release func() error, err error) {
	release = func() error { return nil }
	server, held, err := r.o.timeServer(w, r.sim, r.robots, log)
	if err != nil {
		return release, err
	}
	if server != nil {
		release, r.source, r.held = server.Close, server, held
	}
	return release, fixed.lead(r)
}

// greet writes the start message, unless no world is loaded.
func (r *fleetRun) greet(w io.Writer, n *ros2.Node) error {
	if r.o.source.Unload {
		_, err := fmt.Fprintln(w, "No world is loaded: the service load_world brings one, spawn_entity a robot.")
		return err
	}
	if r.sole == nil {
		return r.printStart(w, n)
	}
	banner, err := simBanner(r.o.world, r.o.seed, r.sole.name, r.sole.node)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, banner)
	return err
}

// letTimePass advances the simulation until ctx ends or the duration of --for is over.
func (r *fleetRun) letTimePass(ctx context.Context, n *ros2.Node, term *tty.Terminal) error {
	clockPub, err := fleet.NewClockPublisher(n, r.clock, r.sim)
	if err != nil {
		return err
	}
	if err := r.sole.whenLeft(func() error { return r.publishFacts(n) }); err != nil {
		return errors.Join(err, clockPub.Close())
	}
	clockPub.ReportCores(r.processors)
	ctx, cancel := context.WithCancel(ctx)
	var group task.Group
	defer group.Wait()
	defer cancel()
	r.begun = time.Now()
	group.Go("/clock", func() { clockPub.Repeat(ctx) })
	group.Go("end of the transport", func() {
		select {
		case <-ctx.Done():
		case <-n.Done():
			cancel()
		}
	})
	if term != nil {
		group.Go("status line", func() { tty.ShowText(ctx, term, r.sole.status(r.robots, clockPub.Status)) })
	}
	group.Go("systemd", func() { r.systemd.Run(ctx, r.state) })
	advance := func() error { return r.advance(clockPub) }
	if r.source != nil {
		err = r.clock.Drive(ctx, r.source, advance)
	} else {
		err = r.clock.Run(ctx, advance)
	}
	cancel()
	group.Wait()
	if facts := r.facts.Load(); facts != nil {
		facts.End()
	}
	return errors.Join(err, n.Err(), clockPub.Close())
}

// publishFacts starts the publisher of the run's facts on a node.
func (r *fleetRun) publishFacts(n *ros2.Node) error {
	facts, err := blackbox.NewFactsPublisher(n, r.o.facts(), traceOf(r.sim))
	if err == nil {
		r.facts.Store(facts)
	}
	return err
}

// advance advances the world, and everything that depends on it, to the time of the clock.
func (r *fleetRun) advance(clockPub *fleet.ClockPublisher) error {
	if err := r.o.aboard.advance(r.ctx, r.clock.Now().Sub(r.zero)); err != nil {
		return err
	}
	r.systemd.Cycle(true)
	age := r.sim.Elapsed()
	clockPub.Tick()
	if facts := r.facts.Load(); facts != nil {
		facts.Tick()
	}
	if err := r.robots.Step(); err != nil {
		return err
	}
	if r.record != nil {
		r.record.Observe(age, r.sim)
	}
	if r.o.duration > 0 && age >= r.o.duration {
		r.cancel() // the clock stops at once
	}
	return nil
}

// state returns the state of the simulation for systemd: only what rarely changes. While time is paused or others
// control it, the watchdog is served, as the program does not hang.
func (r *fleetRun) state() string {
	if r.source != nil || r.clock.Factor() == 0 {
		r.systemd.Cycle(true)
	}
	return counted(r.robots.Len(), "simulated robot") + " in world " + r.o.world
}

// printStart writes the robots, their names, and commands to drive one.
func (r *fleetRun) printStart(w io.Writer, n *ros2.Node) error {
	var names []string
	levels := map[string]int{}
	for _, m := range r.sim.Robots() {
		names = append(names, m.Name())
		levels[m.Level()]++
	}
	functional, others := levels[world.LevelFunctional], ""
	if n := levels[world.LevelDescribed]; n > 0 {
		others = fmt.Sprintf(", %d with the generic driver", n)
	}
	speed := "as fast as it can"
	switch {
	case r.source != nil:
		speed = r.held
	case r.o.swarm.speed == 0:
		speed = "paused"
	case !math.IsInf(r.o.swarm.speed, 1):
		speed = fmt.Sprintf("real-time factor %g", r.o.swarm.speed)
	}
	first, node := names[0], ros2.NodeName{Namespace: n.Name().Namespace, Name: driver.NodeName}
	if known, ok := r.robots.NodeOf(first); ok {
		node = known
	} else if len(names) > 1 { // its own programs create its node
		node.Namespace = strings.TrimSuffix(node.Namespace, "/") + "/" + first
	}
	again, ns := "", strings.TrimSuffix(node.Namespace, "/")
	if ns != "" {
		again = " --ros-args -r __ns:=" + ns
	}
	_, err := fmt.Fprintf(w, `%s in world %q (seed %d), %d with the real driver and %d functional%s, %s.
%sRobot %q is node %s; drive it from another shell:
  %s drive 0.05 0.5 --for 4s%s
or from any ROS 2 machine of this network and domain:
  ros2 topic echo %s/odom
  ros2 topic pub -r 10 %s/cmd_vel geometry_msgs/msg/Twist '{linear: {x: 0.05}, angular: {z: 0.5}}'
Ctrl-C ends it.
`, counted(len(names), "simulated robot"), r.o.world, r.o.seed, levels[world.LevelFirmware]+levels[world.LevelTarget], functional, others, speed, r.o.swarm.enlarged, first, node.FullName(), os.Args[0], again, ns, ns)
	return err
}

// finish writes the requested results at the end.
func (r *fleetRun) finish(w io.Writer) error {
	if late := r.clock.Late(); late > 0 {
		if _, err := fmt.Fprintf(w, "The world was too slow: %.3f s of simulated time were late in %.1f s.\n", late.Seconds(), time.Since(r.begun).Seconds()); err != nil {
			return err
		}
	}
	if err := errors.Join(r.printProcessors(w), r.o.aboard.end(w)); err != nil {
		return err
	}
	return finish(w, r.record, r.o.swarm.report, r.o.swarm.traceHash, r.sim)
}

// counted returns a number with a noun: "1 simulated robot", "2 simulated robots".
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
