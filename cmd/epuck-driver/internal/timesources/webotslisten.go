// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package timesources

import (
	"cmp"
	"errors"
	"log/slog"
	"os"
	"slices"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// ErrNoRobot is the error of a world without robots for controllers: time would never advance.
var ErrNoRobot = errors.New("controllers of Webots control time, and that world has no robot for them")

// HasRobots reports whether a world has robots for controllers of Webots: e-puck2 robots, which --webots makes
// functional, and described ones.
func HasRobots(w *sim.World) bool { return len(w.Robots) > 0 }

// Listen creates the server; it serves controllers while its Run runs. Controllers of this machine find their sockets
// where libController expects them: below WEBOTS_TMPDIR, or /tmp.
func (o *Webots) Listen(s *sim.Simulation, name string, log *slog.Logger) (ControlServer, error) {
	drives := func(r sim.Robot) bool { return r.Level() == world.LevelFunctional || r.Level() == world.LevelDescribed }
	if !slices.ContainsFunc(s.Robots(), drives) {
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
		return nil, err // not a nil pointer in an interface
	}
	return server, nil
}
