// SPDX-License-Identifier: Apache-2.0

// Package service implements the driver as a program: the commands run, stop and doctor, and what a system service
// needs in addition: waiting for missing hardware, spaced restarts and a watchdog.
package service

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/blackbox"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/livevideo"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/page"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Service is one run of the driver: a node on the network, a bus, and the loop between them.
type Service struct {
	Args     ros2.Args
	On       network.Choice
	Duration time.Duration // of the run; 0: until the context ends
	// Open opens the driver's hardware; it may read the node's parameters.
	Open func(n *ros2.Node, log *slog.Logger) (hardware.Parts, error)
	// wait makes the service wait for missing hardware instead of failing.
	wait bool
	// Site is the web server that runs with the driver.
	Site page.Site
	// Time is the time of a simulated world; nil for the machine's.
	Time WorldTime
	// Stage adds the nodes and topics of a simulation; it may be nil. stop is called before the session is closed.
	Stage func(n *ros2.Node, t ros2.Transport) (stop func() error, err error)
	// Facts describe the run in recordings: the world and the seed of a simulated one, and the trace.
	Facts blackbox.Facts
	Trace blackbox.Trace // nil on a robot
	// Ready is called when the driver is on the network, before the loop starts. It may be nil.
	Ready func(n *ros2.Node, d *driver.Driver) error
}

// WorldTime is the time of a simulated world with a driver in it.
type WorldTime interface {
	// Clock returns the clock of the nodes.
	Clock() ros2.Clock
	// Run advances the world until ctx ends, the world reaches the age duration (0: no limit) or advance fails.
	// It calls advance after each step.
	Run(ctx context.Context, duration time.Duration, advance func() error) error
	// Release makes the clock continue at the machine's speed, for the driver that stops the wheels at the end.
	Release()
}

// Run runs the driver until ctx ends, its time is over or it fails. When it returns, the wheels are stopped and the
// participant has left the network.
func (sv Service) Run(ctx context.Context, s frame.Streams) (err error) {
	term := tty.NewTerminal(s.Err)
	if term != nil {
		defer term.Close()
	}
	log := slog.New(tty.LogTo(s.Err, term))
	supervisor := NewSupervisor(log)
	var clock ros2.Clock
	limit := sv.Duration
	if sv.Time != nil {
		clock, limit = sv.Time.Clock(), 0
	}
	ctx, cancel := frame.Limited(ctx, limit)
	defer cancel()
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

	session, err := network.JoinDriver(clock, sv.On, sv.Args, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	node := session.Node
	if err := sv.Site.Declare(node); err != nil {
		return err
	}
	hw, err := sv.hardware(ctx, node, supervisor)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, hw.Close()) }()
	config := hw.Config(node)
	video := livevideo.New(hw.Optics)
	config.Camera = video.Open
	config.OnCycle = supervisor.Cycle
	box, err := blackbox.New(node, &config, log)
	if err != nil {
		return err
	}
	d, err := driver.New(config)
	if err != nil {
		return err
	}
	defer func() {
		if sv.Time != nil {
			sv.Time.Release()
		}
		err = errors.Join(err, d.Close())
	}()
	endBox, err := box.Begin(ctx, sv.Facts, sv.Trace)
	if err != nil {
		return err
	}
	defer endBox()
	network.WarnUnused(log, sv.Args, node)
	if sv.Ready != nil {
		if err := sv.Ready(node, d); err != nil {
			return err
		}
	}
	closeSite, err := sv.show(session, video, s.Out, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeSite()) }()
	return sv.run(ctx, d, node, term, supervisor)
}

// show starts the viewers: the world of a simulation, and the server for browsers.
func (sv Service) show(on *network.Session, video *livevideo.Camera, out io.Writer, log *slog.Logger) (end func() error, err error) {
	leave := func() error { return nil }
	if sv.Stage != nil {
		if leave, err = sv.Stage(on.Node, on.Transport); err != nil {
			return nil, err
		}
	}
	stop, err := livevideo.Show(&sv.Site, on.Transport, video, on.Node.Name().Namespace, out, sv.Args.Logger(log, page.LoggerName))
	if err != nil {
		return nil, errors.Join(err, leave())
	}
	return func() error { return errors.Join(stop(), leave()) }, nil
}

// run runs the loop and shows its state: in the status line of a terminal, and in systemd's status.
func (sv Service) run(ctx context.Context, d *driver.Driver, n *ros2.Node, term *tty.Terminal, s *Supervisor) error {
	shown, stop := context.WithCancel(ctx)
	var wg task.Group
	defer wg.Wait()
	defer stop()
	if term != nil {
		wg.Go("status line", func() { tty.ShowText(shown, term, func() string { return StatusLine(d.Status()) }) })
	}
	wg.Go("systemd", func() { s.Run(shown, func() string { return ServiceStatus(d.Status()) }) })
	if sv.Time == nil {
		return d.Run(ctx)
	}
	wg.Go("end of the transport", func() {
		select {
		case <-shown.Done():
		case <-n.Done():
			stop()
		}
	})
	serve := func() error {
		_, err := d.Serve() // at each of its steps
		return err
	}
	return errors.Join(sv.Time.Run(shown, sv.Duration, serve), n.Err())
}
