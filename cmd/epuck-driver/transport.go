// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rclgo"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

// What --transport may say.
const (
	transportRTPS  = "rtps"  // the default: pure Go, no ROS 2 needed
	transportRCLGo = "rclgo" // ROS 2's own rcl, in programs built with it
)

// network is the transport that a command line asks for, and what it says of it. The zero value is the default.
type transportChoice struct {
	transport string
	line      []string // the whole command line, for rcl to read
}

// transports lists what this program can use, the default first.
func transports() []string {
	if rclgo.BuiltIn {
		return []string{transportRTPS, transportRCLGo}
	}
	return []string{transportRTPS}
}

// transportsText is transports for people.
func transportsText(built []string) string {
	text := strings.Join(built, ", ")
	text = strings.Replace(text, transportRTPS, transportRTPS+" (default)", 1)
	if !slices.Contains(built, transportRCLGo) {
		text += "; " + transportRCLGo + " is not built in"
	}
	return text
}

// joinsNetwork gives a command ROS arguments and --transport. What it returns is filled in when the command runs.
func (p *program) joinsNetwork(cmd *cobra.Command) *transportChoice {
	p.takesROSArguments(cmd)
	n := &transportChoice{line: p.line}
	n.flags(cmd.Flags())
	// It fails for flags that don't exist only.
	_ = cmd.RegisterFlagCompletionFunc("transport", cobra.FixedCompletions(transports(), cobra.ShellCompDirectiveNoFileComp))
	return n
}

func (n *transportChoice) flags(f *pflag.FlagSet) {
	f.Var((*transportName)(&n.transport), "transport", "what carries the messages: rtps, or rclgo, ROS 2's own middleware,\n"+
		"in programs built where ROS 2 is")
}

// transportName is the value of --transport: a pflag.Value.
type transportName string

func (t *transportName) String() string { return orElse(string(*t), transportRTPS) }

// Type is what help calls the value.
func (t *transportName) Type() string { return "NAME" }

// Set takes a transport that this program has.
func (t *transportName) Set(name string) (err error) {
	name, err = checkTransport(name)
	*t = transportName(name)
	return err
}

// checkTransport refuses what this program does not have, with the reason.
func checkTransport(name string) (string, error) {
	switch {
	case name == transportRCLGo && !rclgo.BuiltIn:
		return "", usagef("--transport %s: %v", name, rclgo.ErrNotBuiltIn)
	case name != transportRTPS && name != transportRCLGo:
		return "", usagef("--transport %q: there are %s (the default; needs no ROS 2) and %s (ROS 2's own rcl and its middlewares)",
			name, transportRTPS, transportRCLGo)
	}
	return name, nil
}

// open joins the network, as the environment and the arguments say.
func (n transportChoice) open(args ros2.Args, log *slog.Logger) (ros2.Transport, error) {
	if n.transport == transportRCLGo {
		return n.openRCL(log)
	}
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		return nil, usagef("%v", err)
	}
	cfg.Enclave = args.Enclave()
	cfg.Logger = args.Logger(log, networkLogger)
	return rmw.New(cfg)
}

func (n transportChoice) openRCL(log *slog.Logger) (ros2.Transport, error) {
	tr, err := rclgo.New(rclgo.Config{Args: n.line, DomainID: rclgo.EnvironmentDomain, Logger: log})
	if errors.Is(err, rclgo.ErrRCL) && os.Getenv("AMENT_PREFIX_PATH") == "" {
		return nil, fmt.Errorf("%w (is ROS 2's setup.sh sourced?)", err)
	}
	return tr, err
}
