// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/journal"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// service is one run of the driver: a node on the network, a bus, and the loop between them.
type service struct {
	args     ros2.Args
	on       network
	duration time.Duration // of the run; 0 is until the context ends
	// open gives what the driver runs on; it may read the node's parameters.
	open func(n *ros2.Node, log *slog.Logger) (hardware, error)
	// wait tells to wait for what is missing, instead of failing.
	wait bool
	// ready is called when the driver is on the network, before the loop starts. It may be nil.
	ready func(n *ros2.Node, d *driver.Driver) error
}

// serve runs the driver until ctx ends, its time is over or it fails. Then the wheels stand and the participant has
// left the network.
func (sv service) serve(ctx context.Context, s streams) (err error) {
	term := newTerminal(s.err)
	if term != nil {
		defer term.Close()
	}
	log := slog.New(logTo(s.err, term))
	supervisor := newSupervisor(log)
	ctx, cancel := limited(ctx, sv.duration)
	defer cancel()
	starts := newBackoff(log)
	if err := starts.start(ctx, supervisor.say); err != nil {
		return err
	}
	defer func() {
		if err == nil {
			starts.forget()
		}
	}()
	supervisor.settled = starts.forget

	session, err := join(driver.NodeName, true, sv.on, sv.args, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	node := session.node
	hw, err := sv.hardware(ctx, node, supervisor)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, hw.close()) }()
	config := hw.config(node)
	config.OnCycle = supervisor.cycle
	d, err := driver.New(config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if sv.ready != nil {
		if err := sv.ready(node, d); err != nil {
			return err
		}
	}
	return run(ctx, d, term, supervisor)
}

// logTo gives the handler that fits where standard error goes: a terminal with a status line, systemd's journal, or
// anything else.
func logTo(w io.Writer, term *terminal) slog.Handler {
	if term != nil {
		return newConsole(term)
	}
	if is, err := journal.StderrIsJournalStream(); err == nil && is {
		return newJournalConsole(w)
	}
	return newConsole(w)
}

// run runs the loop with what shows its state beside it: the status line on a terminal, systemd's elsewhere.
func run(ctx context.Context, d *driver.Driver, term *terminal, s *supervisor) error {
	shown, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	if term != nil {
		wg.Go(func() { showStatus(shown, term, d.Status) })
	}
	wg.Go(func() { s.supervise(shown, func() string { return serviceStatus(d.Status()) }) })
	return d.Run(ctx)
}
