// SPDX-License-Identifier: Apache-2.0

// Package network connects commands to the ROS 2 network: the flag --transport, nodes with their transport, the
// shell tools, and the version of simulation_interfaces.
package network

import (
	"errors"
	"log/slog"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// loggerName is the name of the transport's logger: with --log-level rmw:=debug it logs the participants that join
// and leave.
const loggerName = "rmw"

// Session is a node and its transport, which has no other nodes. Close closes both.
type Session struct {
	Node      *ros2.Node
	Transport ros2.Transport
}

// Join creates a node on the network; standard adds the services and topics that tools expect of a permanent node.
func Join(name string, standard bool, on Choice, args ros2.Args, log *slog.Logger) (*Session, error) {
	return joinAs(ros2.NodeConfig{Name: name, Standard: standard, Args: args, Logger: log}, on)
}

// JoinDriver creates the driver's node, with its parameters declared before other nodes can request them: otherwise a
// waiting tool would find none. A nil clock is the machine's.
func JoinDriver(clock ros2.Clock, on Choice, args ros2.Args, log *slog.Logger) (*Session, error) {
	return joinAs(ros2.NodeConfig{Name: driver.NodeName, Standard: true, Clock: clock, Args: args, Logger: log, Declare: table.DeclareIn}, on)
}

func joinAs(cfg ros2.NodeConfig, on Choice) (_ *Session, err error) {
	if cfg.Transport, err = on.Open(cfg.Args, cfg.Logger); err != nil {
		return nil, err
	}
	node, err := ros2.NewNode(cfg)
	if err != nil {
		return nil, errors.Join(err, cfg.Transport.Close())
	}
	return &Session{node, cfg.Transport}, nil
}

// Close announces the end of the node and of the participant, and waits until the announcements are sent.
func (s *Session) Close() error { return errors.Join(s.Node.Close(), s.Transport.Close()) }
