// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/coreos/go-systemd/v22/journal"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// service is one run of the driver: a node on the network, a bus, and the loop between them.
type service struct {
	args     ros2.Args
	on       transportChoice
	duration time.Duration // of the run; 0 is until the context ends
	// open gives what the driver runs on; it may read the node's parameters.
	open func(n *ros2.Node, log *slog.Logger) (hardware, error)
	// wait tells to wait for what is missing, instead of failing.
	wait bool
	// site is the server for browsers beside the driver.
	site site
	// time is that of a simulated world; nil is the machine's.
	time *aloneTime
	// stage adds what a simulation shows of itself; it may be nil. stop is called before the network is left.
	stage func(n *ros2.Node, t ros2.Transport) (stop func() error, err error)
	// facts are what recordings say of the run, of a simulated one its world and seed, and the trace.
	facts runFacts
	trace traceFunc // nil on a robot
	// ready is called when the driver is on the network, before the loop starts. It may be nil.
	ready func(n *ros2.Node, d *driver.Driver) error
}

// run runs the driver until ctx ends, its time is over or it fails. Then the wheels stand and the participant has
// left the network.
func (sv service) run(ctx context.Context, s streams) (err error) {
	term := newTerminal(s.err)
	if term != nil {
		defer term.Close()
	}
	log := slog.New(logTo(s.err, term))
	supervisor := newSupervisor(log)
	ctx, cancel := limited(ctx, sv.duration)
	defer cancel()
	var clock ros2.Clock
	if sv.time != nil {
		clock = sv.time.clock()
		defer sv.time.pass(ctx)()
	}
	starts := newBackoff(log)
	if err := starts.start(ctx, supervisor.waits); err != nil {
		return err
	}
	defer func() {
		if err == nil {
			starts.forget()
		}
	}()
	supervisor.settled = starts.forget

	session, err := joinDriver(clock, sv.on, sv.args, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	node := session.node
	if err := sv.site.declare(node); err != nil {
		return err
	}
	hw, err := sv.hardware(ctx, node, supervisor)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, hw.close()) }()
	config := hw.config(node)
	screen := &cinema{optics: hw.optics}
	config.Camera = screen.choose
	config.OnCycle = supervisor.cycle
	box, err := newBlackBox(node, &config, log)
	if err != nil {
		return err
	}
	d, err := driver.New(config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	endBox, err := box.begin(ctx, sv.facts, sv.trace)
	if err != nil {
		return err
	}
	defer endBox()
	if sv.ready != nil {
		if err := sv.ready(node, d); err != nil {
			return err
		}
	}
	closeSite, err := sv.show(session, screen, s.out, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeSite()) }()
	return run(ctx, d, term, supervisor)
}

// show begins what people look at: the world of a simulation, and the server for browsers.
func (sv service) show(on *session, screen *cinema, out io.Writer, log *slog.Logger) (end func() error, err error) {
	leave := func() error { return nil }
	if sv.stage != nil {
		if leave, err = sv.stage(on.node, on.transport); err != nil {
			return nil, err
		}
	}
	if !sv.site.wanted() {
		return leave, nil
	}
	log = sv.args.Logger(log, webLogger)
	answer, endVideo, err := screen.video(log)
	if err != nil {
		return nil, errors.Join(err, leave())
	}
	server, err := sv.site.open(on.transport, ros2.NodeName{}, answer, on.node.Name().Namespace, log)
	if err != nil {
		return nil, errors.Join(err, leave())
	}
	stop := beside(server, log)
	end = func() error {
		err := stop()
		endVideo()
		return errors.Join(err, leave())
	}
	if err := announce(out, server); err != nil {
		return nil, errors.Join(err, end())
	}
	return end, nil
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
	var wg task.Group
	defer wg.Wait()
	defer stop()
	if term != nil {
		wg.Go("status line", func() { showStatus(shown, term, d.Status) })
	}
	wg.Go("systemd", func() { s.supervise(shown, func() string { return serviceStatus(d.Status()) }) })
	return d.Run(ctx)
}
