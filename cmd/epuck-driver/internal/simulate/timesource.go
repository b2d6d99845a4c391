// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/timesources"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// timeServer creates the server whose clients control time, nil without one, and returns a description of them.
func (o *simOptions) timeServer(w *sim.World, s *sim.Simulation, robots *fleet.Fleet, log *slog.Logger) (timesources.Server, string, error) {
	switch {
	case o.traci.Wanted():
		server, err := o.traci.Listen(w, s, timesources.RobotHooks{Added: robots.Add, Removed: robots.Remove}, log)
		if err != nil {
			return nil, "", err
		}
		return server, "controlled by TraCI clients at " + server.Addr().String(), nil
	case o.webots.Wanted():
		server, err := o.webots.Listen(s, o.world, log)
		if err != nil {
			return nil, "", err
		}
		return server, "controlled by controllers of Webots: WEBOTS_CONTROLLER_URL=" + server.URL(s.Robots()[0].Name()), nil
	}
	return nil, "", nil
}
