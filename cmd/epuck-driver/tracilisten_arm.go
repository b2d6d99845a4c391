// SPDX-License-Identifier: Apache-2.0

package main

import (
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// listen refuses: co-simulation is for PCs, and the server would not fit into the robot's program.
func (o *traciOptions) listen(*sim.World, *sim.Simulation, comers, *slog.Logger) (timeHolder, error) {
	return nil, usagef("--traci is not part of the program for 32-bit ARM: run the simulation on a PC")
}
