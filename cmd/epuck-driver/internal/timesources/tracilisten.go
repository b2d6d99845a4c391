// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package timesources

import (
	"log/slog"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/traci"
)

// Listen makes the server; it serves once it runs.
func (o *TraCI) Listen(w *sim.World, s *sim.Simulation, robots RobotHooks, log *slog.Logger) (Server, error) {
	server, err := traci.New(traci.Config{
		Simulation: s, World: w, Address: o.Address, Allow: o.prefixes, Clients: o.clients, Timeout: o.timeout,
		Step:  time.Duration(math.Round(o.step*100)) * 10 * time.Millisecond,
		Added: robots.Added, Removed: robots.Removed, Logger: log,
	})
	if err != nil {
		return nil, err // no server in an interface
	}
	return server, nil
}
