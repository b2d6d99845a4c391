// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cosim/wifi"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// radio serves the robots of a world by their own Wi-Fi protocol, without drivers and nodes: the robots have no
// Raspberry Pi.
func (o *simOptions) radio(ctx context.Context, s frame.Streams, w *sim.World) error {
	for i := range w.Robots {
		w.Robots[i].Level = world.LevelFunctional
	}
	passing, err := newOutsideTime(w, o.seed, o.log(s))
	if err != nil {
		return err
	}
	server, err := wifi.New(wifi.Config{Simulation: passing.world, Address: o.wifi, Logger: o.log(s)})
	if err != nil {
		return err
	}
	if err := radioBanner(s.Out, o.world, o.seed, server.Robots()); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var group task.Group
	defer group.Wait()
	defer cancel()
	group.Go("simulation", func() {
		defer cancel()
		_ = passing.Run(ctx, o.duration, func() error { return nil }) // it has no other error
	})
	return server.Run(ctx)
}

// radioBanner writes the addresses of the robots.
func radioBanner(w io.Writer, world string, seed uint64, robots []wifi.Robot) error {
	if _, err := fmt.Fprintf(w, "%d simulated e-puck2 in world %q (seed %d), as their radio modules show them over Wi-Fi:\n", len(robots), world, seed); err != nil {
		return err
	}
	for _, r := range robots {
		if _, err := fmt.Fprintf(w, "  %-12s %s\n", r.Name, r.Addr); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, `Make a ROS 2 robot of one from another shell:
  %s run --wifi %s
or drive it with any program for the robot's Wi-Fi.
Ctrl-C ends it.
`, os.Args[0], robots[0].Addr)
	return err
}
