// SPDX-License-Identifier: Apache-2.0

package main

import (
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// listen refuses: a world for controllers is for PCs, and the server would not fit into the robot's program.
func (o *webotsOptions) listen(*sim.Simulation, string, *slog.Logger) (controlServer, error) {
	return nil, usagef("--webots is not part of the program for 32-bit ARM: run the simulation on a PC")
}
