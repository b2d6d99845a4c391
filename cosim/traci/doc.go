// SPDX-License-Identifier: Apache-2.0

// Package traci is a server for TraCI, the protocol by which programs control SUMO: programs that are coupled to
// SUMO (Veins and OMNeT++, ns-3) or script it (the Python module traci) control a swarm instead, unchanged. Robots
// are vehicles, walls and things are polygons, lamps are points of interest, people are persons.
//
//	server, err := traci.New(traci.Config{Simulation: s, World: w})
//	err = server.Run(ctx, func(age time.Duration) error { … let the world reach that age … })
//
// The clients control time: nothing moves until each of them has asked for a step. A [Server] is a timesource.Source.
// Commands are obeyed in the clients' order, so that the same commands make the same run, however fast they arrive.
//
// The world before the first step is as SUMO's: no vehicle has departed yet, and the list of vehicles is empty, but
// each can be asked and moved by its name.
package traci

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// Errors of this package.
var (
	// errConfig: a server that can't be.
	errConfig = errors.New("traci: configuration")
	// errAddress: an address that is not this machine's own needs a list of allowed networks.
	errAddress = errors.New("traci: address")
)

const (
	// defaultAddress is where the server listens: SUMO's usual port, on this machine alone.
	defaultAddress = "127.0.0.1:8813"
	// apiVersion is the version of the protocol: SUMO 1.2 to 1.18. Veins takes 15 to 21.
	apiVersion = 20
	// program is what the server calls itself.
	program = "epuck-driver TraCI 1"
)

// refusal is an answer that is no success.
type refusal struct {
	result byte
	text   string
}

func (r *refusal) Error() string { return r.text }

// refuse fails a command.
func refuse(format string, args ...any) error {
	return &refusal{wire.Failed, fmt.Sprintf(format, args...)}
}

// resultOf returns what a status says of an error.
func resultOf(err error) (result byte, text string) {
	if err == nil {
		return wire.OK, ""
	}
	if r, ok := errors.AsType[*refusal](err); ok {
		return r.result, r.text
	}
	return wire.Failed, err.Error()
}
