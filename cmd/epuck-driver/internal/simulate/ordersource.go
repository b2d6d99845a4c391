// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
	"github.com/epuck-ros2/epuck-driver/sim/timesource"
)

// fixedOrder controls time: the robots' nodes and the members run in a fixed order. In each step the world advances and
// the robots publish what they sense; then all callbacks run, and their commands apply from then on.
type fixedOrder struct {
	c       *order.Coordinator
	inner   ros2.ServiceTransport // below the robots' nodes
	cfg     order.LeaderConfig
	file    *os.File // nil: no log
	out     *bufio.Writer
	lines   int   // written to the log
	failure error // of the log

	mu     sync.Mutex
	leader *order.Leader // nil until the robots are there
	since  time.Time     // of the wait; zero: none
}

// prepare makes the order that the robots' nodes are to run in; nil if none is wanted.
func (o *orderOptions) prepare(t ros2.Transport) (_ *fixedOrder, err error) {
	if !o.wanted() {
		return nil, nil
	}
	inner, ok := t.(ros2.ServiceTransport)
	if !ok {
		return nil, frame.Usagef("--order: this transport has no services")
	}
	f := &fixedOrder{inner: inner, cfg: order.LeaderConfig{Transport: inner, Members: o.members}}
	cfg := order.Config{Start: time.Unix(0, 0), Parallel: o.mode == "parallel", Limit: o.limit}
	if o.replay != "" {
		if cfg.Replay, err = readOrder(o.replay); err != nil {
			return nil, err
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

func readOrder(name string) ([]order.Run, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--order-replay: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	all, err := order.ReadRecord(file)
	if err == nil && len(all) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("--order-replay %s: %w", name, err)
	}
	return all, nil
}

// write adds a line to the log.
func (f *fixedOrder) write(r order.Run) {
	f.lines++
	if _, err := fmt.Fprintln(f.out, r); err != nil && f.failure == nil {
		f.failure = fmt.Errorf("--order-log: %w", err)
	}
}

// transport and callbacks are what the robots' nodes are made with: those of no order where f is nil.
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

// lead lets it hold the time of a run, when the robots are there.
func (f *fixedOrder) lead(run *fleetRun) (err error) {
	if f == nil {
		return nil
	}
	run.source, run.held = f, "in a fixed order with "+strings.Join(f.cfg.Members, ", ")
	if len(f.cfg.Members) == 0 {
		run.held = "in a fixed order without other processes (--members)"
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
		err := f.leader.Advance(start.Add(age)) // at first it waits until all are there
		if err == nil && age > 0 {
			if err = to(age); err == nil && ctx.Err() == nil { // the robots' messages then arrive at this time
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

// end lets the members go, before the robots leave.
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

// errEmptyLog: a record in which nothing has run can't be repeated.
var errEmptyLog = errors.New("no callback has run")

// emptyLog removes a log without a line, and says what to do.
func emptyLog(name string) error {
	return errors.Join(fmt.Errorf("--order-log: %w, so there is nothing to repeat and %s is not written: "+
		"name the processes that take part with --members, or send the robots commands", errEmptyLog, name), os.Remove(name))
}
