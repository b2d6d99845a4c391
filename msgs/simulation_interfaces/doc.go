// SPDX-License-Identifier: Apache-2.0

// Package simulation_interfaces has the services by which ROS 2 tools control a simulation, for example spawn and
// delete robots, in version 1 of the standard, for Humble, Jazzy and Kilted.
package simulation_interfaces
