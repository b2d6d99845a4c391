// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package main

import (
	"cmp"
	"errors"
	"log/slog"
	"os"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/webots"
	"github.com/epuck-ros2/epuck-driver/sim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// errNoEPuck refuses a world in which no controller would have a robot: time would stand for good.
var errNoEPuck = errors.New("controllers of Webots hold time, and that world has no e-puck for them")

// hasEPucks reports whether a world has robots that controllers of Webots may have.
func hasEPucks(w *sim.World) bool {
	return slices.ContainsFunc(w.Robots, func(r world.Robot) bool { return r.Model == "" })
}

// listen makes the server; it serves once it runs. Controllers of this machine look for their sockets where their
// libController does: below WEBOTS_TMPDIR, or /tmp.
func (o *webotsOptions) listen(s *sim.Simulation, name string, log *slog.Logger) (controlServer, error) {
	if len(s.Agents()) == 0 {
		return nil, usagef("--webots drives e-pucks only, and world %q has none: robots of --robot have no devices of Webots", name)
	}
	release, err := wire.ParseRelease(o.release)
	if err != nil {
		return nil, usagef("--webots-release: %v", err)
	}
	server, err := webots.New(webots.Config{
		Simulation: s, World: name, Address: o.address, Allow: o.prefixes, Controllers: o.controllers, Release: release,
		BasicStep: o.step, Patience: o.patience, CameraWidth: o.size[0], CameraHeight: o.size[1], Logger: log,
		Folder: cmp.Or(os.Getenv("WEBOTS_TMPDIR"), "/tmp"), User: cmp.Or(os.Getenv("USER"), os.Getenv("USERNAME")),
	})
	if err != nil {
		return nil, err // no server in an interface
	}
	return server, nil
}
