// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"errors"
	"strings"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/service"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/groundtruth"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
)

// view creates the view of a fleet's world and its robots.
func (o *simOptions) view(n *ros2.Node, world *sim.World, simulation *sim.Simulation, clock *simclock.Clock) (*groundtruth.View, error) {
	robots := map[string]groundtruth.Robot{}
	for _, m := range simulation.Robots() {
		robots[namespaceOf(n.Name().Namespace, m.Name(), o.alone(world))] = m
	}
	return groundtruth.New(groundtruth.Config{
		Node: n, Clock: clock, Paused: func() bool { return clock.Factor() == 0 }, World: world, Simulation: simulation, Robots: robots,
	})
}

// host offers services that change the world: they add and remove robots, and pause time if the clock is the time
// source.
func (o *simOptions) host(n *ros2.Node, world *sim.World, simulation *sim.Simulation, robots *fleet.Fleet, clock *simclock.Clock, view *groundtruth.View,
	restart func(fleet.WorldSource) error) (*fleet.Host, error) {
	held := ""
	switch {
	case o.traci.Wanted():
		clock, restart, held = nil, nil, "Time is controlled by TraCI clients: no pause, step and speed here."
	case o.webots.Wanted():
		clock, restart, held = nil, nil, "Time is controlled by controllers of Webots: no pause, step and speed here."
	}
	alone := o.alone(world)
	return fleet.NewHost(fleet.HostConfig{
		Node: n, Simulation: simulation, World: o.world, Unloaded: o.source.Unload, Version: int(o.standard), Fleet: robots, Like: world.Robots[0], Models: library.Names(),
		Clock: clock, Held: held, Restart: restart,
		Changed: func(name string, m sim.Robot) error { // the calls don't overlap
			first := alone && name == world.Robots[0].Name
			namespace := namespaceOf(n.Name().Namespace, name, first)
			if m == nil {
				alone = alone && !first // a robot that is added later has a namespace, whatever its name
				return view.Remove(namespace)
			}
			return view.Add(namespace, m)
		},
	})
}

// namespaceOf returns the namespace of a robot's node, below that of the command line, or that of the command line if
// the robot is alone.
func namespaceOf(outer, robot string, alone bool) string {
	if alone {
		return outer
	}
	return strings.TrimSuffix(outer, "/") + "/" + robot
}

// hostAlone offers the services that change the world, the robot's pose and time, and publishes /clock, unless the
// time is the machine's.
func (o *simOptions) hostAlone(n *ros2.Node, s *sim.Simulation, passing service.WorldTime) (stop func() error, err error) {
	cfg := fleet.HostConfig{Node: n, Simulation: s, World: o.world, Version: int(o.standard)}
	t, simulated := passing.(*aloneTime)
	if !simulated {
		cfg.Held = "Time is the machine's, as other programs are on the robot's bus: no pause, step and speed here."
		h, err := fleet.NewHost(cfg)
		if err != nil {
			return nil, err
		}
		return h.Close, nil
	}
	cfg.Clock = t.clock
	h, err := fleet.NewHost(cfg)
	if err != nil {
		return nil, err
	}
	clockPub, err := fleet.NewClockPublisher(n, t.clock, s)
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	t.tick = clockPub.Tick
	end := t.repeat()
	return func() error {
		end()
		return errors.Join(h.Close(), clockPub.Close())
	}, nil
}
