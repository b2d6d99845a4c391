// SPDX-License-Identifier: Apache-2.0

package timesources

import (
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// Listen returns an error: a world for controllers is for PCs, and the server would not fit into the robot's program.
func (o *Webots) Listen(*sim.Simulation, string, *slog.Logger) (ControlServer, error) {
	return nil, frame.Usagef("--webots is not part of the program for 32-bit ARM: run the simulation on a PC")
}
