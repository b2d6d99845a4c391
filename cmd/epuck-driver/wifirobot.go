// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/wifi"
	"github.com/epuck-ros2/epuck-driver/sim/world"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
	"github.com/epuck-ros2/epuck-driver/wifi/robot"
)

// openWifi gives what a driver runs on whose robot is at an address.
func openWifi(address string) func(*ros2.Node, *slog.Logger) (hardware, error) {
	return func(_ *ros2.Node, log *slog.Logger) (hardware, error) {
		r, err := robot.New(robot.Config{Address: address, Logger: log})
		if err != nil {
			return hardware{}, usagef("--wifi: %v", err)
		}
		return hardware{
			bus: r.Bus(), again: func() (pi2c.BusCloser, error) { return r.Bus(), nil }, selector: packet.Selector,
			files: r.Files(), optics: wifiCamera(r), close: r.Close,
		}, nil
	}
}

// wifiCamera is the camera of a robot over Wi-Fi; nothing is known of its lens.
func wifiCamera(r *robot.Robot) optics {
	return optics{
		open: func(device string) (camera.Device, error) {
			if device != "auto" {
				return nil, fmt.Errorf("%w: %q; a robot over Wi-Fi has one camera, \"auto\"", camera.ErrNoDevice, device)
			}
			return r.Camera(), nil
		},
		encoder: videoEncoder,
	}
}

// radio lets programs drive the robots of a world by their own Wi-Fi protocol. Here runs no driver and no node: the
// robots are what they are without a Raspberry Pi.
func (o *simOptions) radio(ctx context.Context, s streams, w *sim.World) error {
	ctx, cancel := limited(ctx, o.duration)
	defer cancel()
	for i := range w.Robots {
		w.Robots[i].Level = world.LevelFunctional
	}
	simulation, err := sim.New(w, sim.Options{Seed: o.seed, Now: time.Now, Sleep: time.Sleep})
	if err != nil {
		return err
	}
	server, err := wifi.New(wifi.Config{Simulation: simulation, Address: o.wifi, Logger: o.ros.Logger(slog.New(newConsole(s.err)), simLogger)})
	if err != nil {
		return err
	}
	if err := radioBanner(s.out, o.world, o.seed, server.Robots()); err != nil {
		return err
	}
	return server.Run(ctx)
}

// radioBanner says where the robots are.
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
