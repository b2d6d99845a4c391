// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// shellEnv is what the shell tools work with: this network and the message types that the program knows.
func shellEnv(s streams) shell.Env {
	return shell.Env{
		Program: "epuck-driver", Out: s.out, Err: s.err,
		Open:  func() (ros2.Transport, error) { return openNetwork(s) },
		Node:  fmt.Sprintf("_epuck_driver_%d", os.Getpid()),
		Types: interfacesHere().definition, TypeNames: msgs.Names(),
	}
}

// openNetwork joins the network as the environment says. Only errors are logged: the output is for people and pipes.
func openNetwork(s streams) (ros2.Transport, error) {
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	quiet, _, err := ros2.ParseArgs([]string{"--ros-args", "--log-level", "error"})
	if err != nil {
		return nil, err
	}
	cfg.Logger = quiet.Logger(slog.New(newConsole(s.err)), networkLogger)
	return rmw.New(cfg)
}
