// SPDX-License-Identifier: Apache-2.0

package network

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// ShellCommands returns the shell tools, which inspect any ROS 2 network as the ros2 command does.
func ShellCommands(s frame.Streams) []*cobra.Command { return shell.Commands(shellEnv(s)) }

// shellEnv returns the environment of the shell tools: this network and the message types of the program.
func shellEnv(s frame.Streams) shell.Env {
	return shell.Env{
		Program: "epuck-driver", Out: s.Out, Err: s.Err,
		Open:  func() (ros2.Transport, error) { return openNetwork(s) },
		Node:  fmt.Sprintf("_epuck_driver_%d", os.Getpid()),
		Types: InterfacesHere().Definition, TypeNames: msgs.Names(), Sources: msgs.Sources(),
	}
}

// openNetwork joins the network that the environment selects. It only logs errors, as the output is for people and
// pipes.
func openNetwork(s frame.Streams) (ros2.Transport, error) {
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	console := slog.New(tty.NewConsole(s.Err))
	if _, warning, err := cfg.Security.Open(cfg.DomainID, nil); err == nil && warning != "" {
		console.Warn(warning)
	}
	quiet, _, err := ros2.ParseArgs([]string{"--ros-args", "--log-level", "error"})
	if err != nil {
		return nil, err
	}
	cfg.Logger = quiet.Logger(console, loggerName)
	return rmw.New(cfg)
}
