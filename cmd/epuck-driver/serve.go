// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// service is one run of the driver: a node on the network, a bus, and the loop between them.
type service struct {
	args     ros2.Args
	duration time.Duration // of the run; 0 is until the context ends
	// open gives what the driver runs on; it may read the node's parameters.
	open func(n *ros2.Node, log *slog.Logger) (hardware, error)
	// ready is called when the driver is on the network, before the loop starts. It may be nil.
	ready func(n *ros2.Node, d *driver.Driver) error
}

// serve runs the driver until ctx ends, its time is over or it fails. Then the wheels stand and the participant has
// left the network.
func (sv service) serve(ctx context.Context, s streams) (err error) {
	out := s.err
	term := newTerminal(s.err)
	if term != nil {
		out = term
		defer term.Close()
	}
	log := slog.New(newConsole(out))
	ctx, cancel := limited(ctx, sv.duration)
	defer cancel()

	session, err := join(driver.NodeName, true, sv.args, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	node := session.node
	hw, err := sv.open(node, node.Logger())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, hw.close()) }()
	d, err := driver.New(hw.config(node))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if sv.ready != nil {
		if err := sv.ready(node, d); err != nil {
			return err
		}
	}
	return runWithStatus(ctx, d, term)
}

// runWithStatus runs the loop with the status line beside it.
func runWithStatus(ctx context.Context, d *driver.Driver, term *terminal) error {
	if term == nil {
		return d.Run(ctx)
	}
	shown, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { showStatus(shown, term, d.Status) })
	err := d.Run(ctx)
	stop()
	wg.Wait()
	return err
}
