// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/table"
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
	return joinAs(ros2.NodeConfig{Name: name, Standard: standard, Args: args, Logger: log}, on)
}

// joinDriver puts the driver's node on the network, its parameters declared before anybody can ask for them: a tool that
// was waiting for the robot would hear that it has none. A nil clock is the machine's.
func joinDriver(clock ros2.Clock, on transportChoice, args ros2.Args, log *slog.Logger) (*session, error) {
	return joinAs(ros2.NodeConfig{Name: driver.NodeName, Standard: true, Clock: clock, Args: args, Logger: log, Declare: table.DeclareIn}, on)
}

func joinAs(cfg ros2.NodeConfig, on transportChoice) (_ *session, err error) {
	if cfg.Transport, err = on.open(cfg.Args, cfg.Logger); err != nil {
		return nil, err
	}
	node, err := ros2.NewNode(cfg)
	if err != nil {
		return nil, errors.Join(err, cfg.Transport.Close())
	}
	return &session{node, cfg.Transport}, nil
}

// Close tells the network that node and participant leave, and waits until that is sent.
func (s *session) Close() error { return errors.Join(s.node.Close(), s.transport.Close()) }
