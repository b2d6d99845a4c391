// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package main

import (
	"log/slog"
	"math"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/traci"
)

// listen makes the server; it serves once it runs.
func (o *traciOptions) listen(w *sim.World, s *sim.Simulation, robots comers, log *slog.Logger) (timeHolder, error) {
	server, err := traci.New(traci.Config{
		Simulation: s, World: w, Address: o.address, Allow: o.prefixes, Clients: o.clients, Patience: o.patience,
		Step: time.Duration(math.Round(o.step*100)) * 10 * time.Millisecond,
		Come: robots.come, Leave: robots.leave, Logger: log,
	})
	if err != nil {
		return nil, err // no server in an interface
	}
	return server, nil
}
