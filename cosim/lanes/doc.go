// SPDX-License-Identifier: Apache-2.0

// Package lanes reads SUMO's networks: edges with their lanes, junctions, the links between lanes and the programs
// of traffic lights, as netconvert writes them (.net.xml). Lengths are m, times s, speeds m/s; x points east and y
// north.
//
//	network, err := lanes.Parse("town.net.xml", text)
//	route, seconds, err := network.Route(from, to)
//
// Names are those of SUMO, https://sumo.dlr.de/docs/Networks/SUMO_Road_Networks.html. What has no meaning for robots
// (types of edges, roundabouts, prohibitions, parameters) is not read; what contradicts itself is an error that names
// the file, the line and the element. A network is not changed after it has been read.
package lanes

import "errors"

// ErrNetwork is matched by the error of a file that is no network. The error of a file that is no XML matches
// xmltree.ErrSyntax.
var ErrNetwork = errors.New("no SUMO network")

// ErrNoRoute is matched by the error of two edges between which no vehicle can drive.
var ErrNoRoute = errors.New("no route")

// The bounds of a network.
const (
	maxCoordinate = 1e6  // m
	maxPoints     = 1000 // of a shape
	maxLanes      = 100  // of an edge
	maxPhases     = 1000 // of a light's program
	maxSignals    = 1000 // links of a light
	maxLinks      = 256  // through a junction
	maxDuration   = 1e6  // of a phase, s
	maxWidth      = 100  // of a lane, m
	maxSpeed      = 1e4  // m/s
	maxLength     = 1e6  // of a lane, m
	defaultWidth  = 3.2  // of a lane, m: SUMO's
)
