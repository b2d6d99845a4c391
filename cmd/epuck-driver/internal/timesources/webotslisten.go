// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package timesources

import (
	"cmp"
	"errors"
	"log/slog"
	"os"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// ErrNoRobot refuses a world in which no controller would have a robot: time would stand for good.
var ErrNoRobot = errors.New("controllers of Webots control time, and that world has no robot for them")

// HasRobots reports whether a world has robots that controllers of Webots may have: e-puck2 robots, which --webots
// makes functional, and those by their descriptions.
func HasRobots(w *sim.World) bool { return len(w.Robots) > 0 }

// Listen makes the server; it serves once it runs. Controllers of this machine look for their sockets where their
// libController does: below WEBOTS_TMPDIR, or /tmp.
func (o *Webots) Listen(s *sim.Simulation, name string, log *slog.Logger) (ControlServer, error) {
	if len(sim.RobotsOf[*sim.Functional](s))+len(sim.RobotsOf[*sim.Articulated](s)) == 0 {
		return nil, frame.Usagef("--webots drives robots, and world %q has none of the level functional or by a description", name)
	}
	release, err := wire.ParseRelease(o.release)
	if err != nil {
		return nil, frame.Usagef("webots.release: %v", err)
	}
	server, err := webots.New(webots.Config{
		Simulation: s, World: name, Address: o.Address, Allow: o.prefixes, Controllers: o.controllers, Release: release,
		BasicStep: o.Step, Timeout: o.timeout, Absence: cmp.Or(o.absence, -1), CameraWidth: o.Size[0], CameraHeight: o.Size[1], Logger: log,
		Folder: cmp.Or(os.Getenv("WEBOTS_TMPDIR"), "/tmp"), User: cmp.Or(os.Getenv("USER"), os.Getenv("USERNAME")),
	})
	if err != nil {
		return nil, err // no server in an interface
	}
	return server, nil
}
