// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package main

import (
	"errors"
	"io"
	"log/slog"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/worldview"
)

// show begins what people look at of a fleet: the world with its robots, and the server for browsers.
func (o *simOptions) show(on *session, world *sim.World, simulation *sim.Simulation, out io.Writer, log *slog.Logger) (end func() error, err error) {
	members := simulation.Members()
	robots := map[string]sim.Member{}
	for _, m := range members {
		robots[namespaceOf(on.node.Name().Namespace, m.Name(), len(members) == 1)] = m
	}
	view, err := worldview.New(worldview.Config{Node: on.node, World: world, Robots: robots})
	if err != nil {
		return nil, err
	}
	if !o.site.wanted() {
		return view.Close, nil
	}
	log = o.ros.Logger(log, webLogger)
	server, err := o.site.open(on.transport, ros2.NodeName{}, nil, "", log)
	if err != nil {
		return nil, errors.Join(err, view.Close())
	}
	stop := beside(server, log)
	end = func() error { return errors.Join(stop(), view.Close()) }
	if err := announce(out, server); err != nil {
		return nil, errors.Join(err, end())
	}
	return end, nil
}

// namespaceOf is the namespace of a robot's node, below that of the command line; a robot that is alone has no own.
func namespaceOf(outer, robot string, alone bool) string {
	if alone {
		return outer
	}
	return strings.TrimSuffix(outer, "/") + "/" + robot
}
