// SPDX-License-Identifier: Apache-2.0

// Package simclient implements the commands below sim for a running simulation: its robots and its time, by the
// services of simulation_interfaces.
package simclient

// Names of the node that offers a simulation's services.
const (
	// SimulationNode is that of a simulation of several robots.
	SimulationNode = "simulation"
	// SingleNode is the name next to the driver of one robot.
	SingleNode = "epuck_simulation"
)
