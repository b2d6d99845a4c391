// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// networkLogger is the name of the transport's logger: --log-level rmw:=debug shows who comes and goes.
const networkLogger = "rmw"

// session is a node and the transport it alone is on. Close takes both off the network.
type session struct {
	node      *ros2.Node
	transport ros2.Transport
}

// join puts a node on the network; standard adds the services and topics that tools expect of a node that stays.
func join(name string, standard bool, on transportChoice, args ros2.Args, log *slog.Logger) (*session, error) {
	return joinAt(nil, name, standard, on, args, log)
}

// joinAt is join for a node that goes by a clock; nil is the machine's.
func joinAt(clock ros2.Clock, name string, standard bool, on transportChoice, args ros2.Args, log *slog.Logger) (*session, error) {
	transport, err := on.open(args, log)
	if err != nil {
		return nil, err
	}
	node, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: transport, Clock: clock, Logger: log, Args: args, Standard: standard})
	if err != nil {
		return nil, errors.Join(err, transport.Close())
	}
	return &session{node, transport}, nil
}

// Close tells the network that node and participant leave, and waits until that is sent.
func (s *session) Close() error { return errors.Join(s.node.Close(), s.transport.Close()) }
