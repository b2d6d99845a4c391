// SPDX-License-Identifier: Apache-2.0

// Package simulation_interfaces holds the services by which ROS 2 tools put robots into a simulation and take them out,
// in the form that the standard has in Humble, Jazzy and Kilted (1.x).
package simulation_interfaces
