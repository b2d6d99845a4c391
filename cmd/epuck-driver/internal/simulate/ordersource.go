// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/orderlog"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/sim/timesource"
)

// fixedOrder is the time source of robots' nodes and members that run in a fixed order. In each step the world
// advances, and the robots' steps run as callbacks of the order and publish the measurements; then all callbacks run,
// and their commands apply from then on.
type fixedOrder struct {
	c       *order.Coordinator
	inner   ros2.ServiceTransport // below the robots' nodes
	cfg     order.LeaderConfig
	file    *os.File // nil: no log
	out     *bufio.Writer
	lines   int   // written to the log
	failure error // of the log

	mu     sync.Mutex
	leader *order.Leader // nil until the robots exist
	since  time.Time     // of the wait; zero: none
}

// prepare creates the order of the robots' nodes; nil without --order.
func (o *orderOptions) prepare(t ros2.Transport) (_ *fixedOrder, err error) {
	if !o.wanted() {
		return nil, nil
	}
	inner, ok := t.(ros2.ServiceTransport)
	if !ok {
		return nil, frame.Usagef("--order: this transport has no services")
	}
	f := &fixedOrder{inner: inner, cfg: order.LeaderConfig{Transport: inner, Members: o.members}}
	cfg := order.Config{
		Start: time.Unix(0, 0), Parallel: o.mode == "parallel", Limit: o.limit,
		Omit: func(typ string) bool { return !fleet.Repeats(typ) },
	}
	if o.replay != "" {
		if cfg.Replay, err = orderlog.Read(o.replay); err != nil {
			return nil, fmt.Errorf("--order-replay: %w", err)
		}
	}
	if o.log != "" {
		if f.file, err = os.Create(o.log); err != nil {
			return nil, fmt.Errorf("--order-log: %w", err)
		}
		f.out = bufio.NewWriter(f.file)
		cfg.Record = f.write
	}
	f.c = order.New(cfg)
	return f, nil
}

// write adds a line to the log.
func (f *fixedOrder) write(r order.Run) {
	f.lines++
	if _, err := fmt.Fprintln(f.out, r); err != nil && f.failure == nil {
		f.failure = fmt.Errorf("--order-log: %w", err)
	}
}

// transport returns the transport of the robots' nodes: t itself if f is nil.
func (f *fixedOrder) transport(t ros2.Transport) ros2.Transport {
	if f == nil {
		return t
	}
	return f.c.Transport(f.inner)
}

func (f *fixedOrder) callbacks() func() ros2.CallbackGroup {
	if f == nil {
		return nil
	}
	return func() ros2.CallbackGroup { return f.c.NewGroup() }
}

// perform returns the function that runs the robots' steps as callbacks; nil if f is nil.
func (f *fixedOrder) perform() func(n *ros2.Node, step func() error) error {
	if f == nil {
		return nil
	}
	return func(n *ros2.Node, step func() error) (err error) {
		source := ros2.CallbackSource{Node: n.Name(), Kind: ros2.TimerCallback, Name: "step"}
		return errors.Join(f.leader.Do(source, func() { err = step() }), err)
	}
}

// lead makes f the time source of a run. It is called when the robots exist.
func (f *fixedOrder) lead(run *fleetRun) (err error) {
	if f == nil {
		return nil
	}
	factor := math.Inf(1)
	run.held = "in a fixed order with " + strings.Join(f.cfg.Members, ", ")
	if len(f.cfg.Members) == 0 {
		run.held = "in a fixed order without other processes (--members)"
	}
	if run.o.order.paced() {
		factor = run.o.swarm.speed
	}
	if !math.IsInf(factor, 1) {
		run.held += fmt.Sprintf(", at most %g × real time", factor)
	}
	if run.source, err = simclock.Paced(f, factor); err != nil {
		return err
	}
	leader, err := order.Lead(f.c, f.cfg)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leader = leader
	return nil
}

// Run implements timesource.Source.
func (f *fixedOrder) Run(ctx context.Context, to func(age time.Duration) error) error {
	stop := task.AfterDone(ctx, "end of a fixed order", func() { _ = f.leader.Close() })
	defer stop()
	start := time.Unix(0, 0)
	for age := time.Duration(0); ctx.Err() == nil; age += simclock.StepPeriod {
		err := f.leader.Advance(start.Add(age)) // the first time it waits for all members
		if err == nil && age > 0 {
			if err = to(age); err == nil && ctx.Err() == nil { // the robots' messages arrive at this time
				err = f.leader.Advance(start.Add(age))
			}
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// Status implements timesource.Source.
func (f *fixedOrder) Status() timesource.Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := timesource.Status{By: "a fixed order"}
	if f.leader == nil {
		return s
	}
	if s.Waits = strings.Join(f.leader.Waits(), ", "); s.Waits == "" {
		f.since = time.Time{}
		return s
	}
	if f.since.IsZero() {
		f.since = time.Now()
	}
	s.Since = time.Since(f.since)
	return s
}

// end releases the members, before the robots' nodes are closed.
func (f *fixedOrder) end() (err error) {
	if f == nil {
		return nil
	}
	if f.leader != nil {
		err = f.leader.Close()
	}
	f.c.Close()
	if f.file == nil {
		return err
	}
	err = errors.Join(err, f.failure, f.out.Flush(), f.file.Close())
	if f.lines == 0 && f.failure == nil {
		err = errors.Join(err, emptyLog(f.file.Name()))
	}
	return err
}

// errEmptyLog: a log without callbacks cannot be repeated.
var errEmptyLog = errors.New("no callback has run")

// emptyLog removes an empty log and returns an error with advice.
func emptyLog(name string) error {
	return errors.Join(fmt.Errorf("--order-log: %w, so there is nothing to repeat and %s is not written: "+
		"the world needs robots with nodes of this program, or name other processes with --members", errEmptyLog, name), os.Remove(name))
}
