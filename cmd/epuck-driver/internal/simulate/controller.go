// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/timesources"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/experiment/report"
	"github.com/epuck-ros2/epuck-driver/fleet/swarm"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// controllerOptions are the flags of sim for robots that are driven by a controller in this process, without a network.
type controllerOptions struct {
	name          string // "": nodes on the network
	save, restore string
	at            time.Duration
	given         func(flag string) bool // on the command line
}

func (o *controllerOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.name, "controller", "", "let a controller in the process drive all robots, without a network: `NAME`, one of\n"+
		strings.Join(swarm.Controllers(), ", "))
	f.StringVar(&o.save, "save", "", "with --controller: write the state of the run to `FILE` at the time --at")
	f.DurationVar(&o.at, "at", 0, "with --save: when, of simulated time")
	f.StringVar(&o.restore, "restore", "", "with --controller: continue from the checkpoint `FILE` instead of a new world")
}

// check returns an error for flags that exclude each other; held means that clients control time, and may end the run.
func (o *controllerOptions) check(duration time.Duration, held bool) error {
	switch {
	case o.name == "" && (o.save != "" || o.restore != "" || o.at != 0):
		return frame.Usagef("--save, --restore and --at go with --controller: the state of nodes on a network can't be stored")
	case o.name == "":
		return nil
	case held && (o.save != "" || o.restore != ""):
		return frame.Usagef("--traci doesn't go with --save and --restore: a client's part of a run can't be stored")
	case duration <= 0 && !held:
		return frame.Usagef("--controller needs --for, or --traci")
	case (o.at != 0) != (o.save != "") || o.at < 0 || o.at > duration:
		return frame.Usagef("--save and --at go together, and --at is within --for")
	}
	if _, err := swarm.Named(o.name, nil); err != nil {
		return frame.Usagef("--controller: %v", err)
	}
	return nil
}

// savedIn returns the file of --save, empty without the flag.
func (o *controllerOptions) savedIn() string { return o.save }

// keptFlags are the flags whose effect is stored in the file of --save.
var keptFlags = []string{"set", "distribution", "level", "robot", "robot-settings", "imu", "without", "cost"}

// keepGiven records which flags were given.
func (o *controllerOptions) keepGiven(f *pflag.FlagSet) error {
	o.given = f.Changed
	for _, name := range keptFlags {
		if o.restore != "" && f.Changed(name) {
			return frame.Usagef("--%s doesn't go with --restore: the file holds the world and its robots", name)
		}
	}
	return nil
}

// agrees returns an error for a given world, seed or number of robots that differs from the restored run's, and
// otherwise takes them from the run.
func (o *simOptions) agrees(run *swarm.Run) error {
	robots := len(run.Simulation().Robots())
	for name, differs := range map[string]bool{
		"world": o.world != run.World(), "seed": o.seed != run.Seed(), "robots": o.swarm.robots != robots,
	} {
		if differs && o.controller.given(name) {
			return frame.Usagef("--%s doesn't go with --restore %s: the run in the file has world %s, seed %d and %d robots",
				name, o.controller.restore, run.World(), run.Seed(), robots)
		}
	}
	o.world, o.seed = run.World(), run.Seed()
	return nil
}

// controlled runs the world with the controller up to the age of --for.
func (o *simOptions) controlled(ctx context.Context, s frame.Streams, world *sim.World) error {
	c := &o.controller
	maker, err := swarm.Named(c.name, nil)
	if err != nil {
		return err
	}
	cfg := swarm.Config{Seed: o.seed, World: o.world, Controller: maker, Name: c.name, Trace: o.swarm.traceHash}
	var run *swarm.Run
	if c.restore != "" {
		if run, err = restored(c.restore, cfg); err == nil {
			err = o.agrees(run)
		}
	} else {
		run, err = swarm.New(world, cfg)
	}
	if err != nil {
		return err
	}
	title := fmt.Sprintf("World %s, seed %d, controller %s", o.world, o.seed, c.name)
	pages := report.New(title)
	if o.swarm.report != "" {
		run.Watch(pages.Observe)
	}
	if _, err := io.WriteString(s.Out, o.swarm.enlarged); err != nil {
		return err
	}
	if o.traci.Wanted() {
		err = o.reachHeld(ctx, s, world, run)
	} else {
		err = o.reach(ctx, run)
	}
	if err != nil {
		return err
	}
	f := run.Statistics()
	if _, err := fmt.Fprintf(s.Out, "%s: %s, %v, %s, %.2f m² covered, %.2f m spread, %s.\n",
		title, counted(f.Robots, "robot"), f.Time, counted(int(f.Collisions), "collision"), f.Covered, f.Spread, counted(f.Clusters, "group")); err != nil {
		return err
	}
	return finish(s.Out, pages, o.swarm.report, o.swarm.traceHash, run.Simulation())
}

// restored reads a run from a file.
func restored(path string, cfg swarm.Config) (*swarm.Run, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	run, err := swarm.Restore(bufio.NewReader(f), cfg)
	if err != nil {
		return nil, filekind.Explain(path, fmt.Errorf("%s: %w", path, err))
	}
	return run, nil
}

// reach advances the run to the age of --for at the requested speed, and writes the checkpoint of --save on the way.
func (o *simOptions) reach(ctx context.Context, run *swarm.Run) error {
	c := &o.controller
	begun, first := time.Now(), run.Simulation().Elapsed()
	switch {
	case c.restore != "" && o.duration < first:
		return frame.Usagef("--for %v: the run in %s is %v old already; --for is the age at which it ends, so it must not be less", o.duration, c.restore, first)
	case c.save != "" && c.at < first:
		return frame.Usagef("--at %v: the run in %s is %v old already", c.at, c.restore, first)
	}
	saved := c.save == ""
	for age := first; ; age = run.Simulation().Elapsed() {
		if !saved && age >= c.at {
			saved = true
			if err := report.Whole(c.save, func(w io.Writer) error { return run.Snapshot(w) }); err != nil {
				return err
			}
		}
		if age >= o.duration {
			return nil
		}
		if err := o.pause(ctx, begun, age-first); err != nil {
			return err
		}
		if err := run.Advance(ctx, 1); err != nil { // one control period
			return err
		}
	}
}

// reachHeld runs the simulation with the time of TraCI clients, until they end, ctx ends or the age of --for is
// reached.
func (o *simOptions) reachHeld(ctx context.Context, s frame.Streams, world *sim.World, run *swarm.Run) (err error) {
	log := slog.New(tty.LogTo(s.Err, nil))
	server, err := o.traci.Listen(world, run.Simulation(), timesources.RobotHooks{Added: run.Add, Removed: run.Remove}, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	if _, err := fmt.Fprintf(s.Out, "World %s with controller %s, time is controlled by TraCI clients at %v.\n", o.world, o.controller.name, server.Addr()); err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	return server.Run(ctx, func(age time.Duration) error {
		if o.duration > 0 && age >= o.duration {
			age = o.duration
			defer end()
		}
		if err := run.Until(ctx, age); !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	})
}

// pause waits until the simulated time passed is due at the requested real-time factor.
func (o *simOptions) pause(ctx context.Context, begun time.Time, passed time.Duration) error {
	if math.IsInf(o.swarm.speed, 1) {
		return ctx.Err()
	}
	due := time.Duration(math.MaxInt64) // speed 0: never
	if o.swarm.speed > 0 {
		due = time.Duration(float64(passed) / o.swarm.speed)
	}
	select {
	case <-time.After(due - time.Since(begun)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// finish writes the requested results at the end of a run.
func finish(w io.Writer, pages *report.Recorder, path string, hash bool, s *sim.Simulation) error {
	var errs []error
	say := func(format string, args ...any) {
		_, err := fmt.Fprintf(w, format, args...)
		errs = append(errs, err)
	}
	if path != "" {
		if err := pages.Write(path); err != nil {
			return err
		}
		say("Wrote %[1]s.csv and %[1]s.html.\n", path)
	}
	if hash {
		say("trace %x\n", s.TraceHash())
	}
	return errors.Join(errs...)
}
