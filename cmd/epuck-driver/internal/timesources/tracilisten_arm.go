// SPDX-License-Identifier: Apache-2.0

package timesources

import (
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// World returns the same error as Listen.
func (o *TraCI) World(int, []string) (*sim.World, error) { return nil, errPC() }

func errPC() error {
	return frame.Usagef("--traci is not part of the program for 32-bit ARM: run the simulation on a PC")
}

// Listen returns an error: co-simulation is for PCs, and the server would not fit into the robot's program.
func (o *TraCI) Listen(*sim.World, *sim.Simulation, RobotHooks, *slog.Logger) (Server, error) {
	return nil, errPC()
}
