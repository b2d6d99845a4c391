// SPDX-License-Identifier: Apache-2.0

// Package simclient implements the commands below sim for a running simulation: its robots and its time, by the
// services of simulation_interfaces.
package simclient

// SimulationNode is the name of the node that offers a simulation's services.
const SimulationNode = "simulation"
