// SPDX-License-Identifier: Apache-2.0

package network

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rclgo"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

// Choice is the transport that a command line selects, with its options. The zero value is the default.
type Choice struct {
	Transport string // empty for the default
	// Apart joins a DDS domain other than the environment's, so that the participants of that domain don't discover
	// this program; only with RTPS.
	Apart bool
	line  []string // the whole command line, parsed by rcl
}

// Flags adds ROS arguments and --transport to a command. The returned Choice is complete when the command runs.
func Flags(p *frame.Program, cmd *cobra.Command) *Choice {
	p.TakesROSArguments(cmd)
	n := &Choice{line: p.Line}
	n.flags(cmd.Flags())
	// It fails for flags that don't exist only.
	_ = cmd.RegisterFlagCompletionFunc("transport", cobra.FixedCompletions(build.Transports(), cobra.ShellCompDirectiveNoFileComp))
	return n
}

func (n *Choice) flags(f *pflag.FlagSet) {
	f.Var((*transportName)(&n.Transport), "transport", "what carries the messages: rtps, or rclgo, ROS 2's own middleware,\n"+
		"in programs built where ROS 2 is")
}

// transportName is the value of --transport: a pflag.Value.
type transportName string

func (t *transportName) String() string { return cmp.Or(string(*t), build.RTPS) }

// Type returns the name of the value in help.
func (t *transportName) Type() string { return "NAME" }

// Set sets the transport, which this program must have.
func (t *transportName) Set(name string) (err error) {
	name, err = checkTransport(name)
	*t = transportName(name)
	return err
}

// checkTransport returns the name, or an error if this program does not have that transport.
func checkTransport(name string) (string, error) {
	switch {
	case name == build.RCLGo && !rclgo.BuiltIn:
		return "", frame.Usagef("--transport %s: %v", name, rclgo.ErrNotBuiltIn)
	case name != build.RTPS && name != build.RCLGo:
		return "", frame.Usagef("--transport %q: there are %s (the default; needs no ROS 2) and %s (ROS 2's own rcl and its middlewares)",
			name, build.RTPS, build.RCLGo)
	}
	return name, nil
}

// Open joins the network that the environment and the arguments select.
func (n Choice) Open(args ros2.Args, log *slog.Logger) (ros2.Transport, error) {
	if n.Transport == build.RCLGo {
		return n.openRCL(log)
	}
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		return nil, frame.Usagef("%v", err)
	}
	if n.Apart {
		cfg.DomainID = apartFrom(cfg.DomainID)
	}
	cfg.Security.Enclave = args.Enclave()
	cfg.Logger = args.Logger(log, loggerName)
	return rmw.New(cfg)
}

// apartFrom returns the highest DDS domain that is not id.
func apartFrom(id uint32) uint32 {
	const highest = 232 // DDSI-RTPS 9.6.1.1
	if id == highest {
		return highest - 1
	}
	return highest
}

func (n Choice) openRCL(log *slog.Logger) (ros2.Transport, error) {
	tr, err := rclgo.New(rclgo.Config{Args: n.line, DomainID: rclgo.EnvironmentDomain, Logger: log})
	if errors.Is(err, rclgo.ErrRCL) && os.Getenv("AMENT_PREFIX_PATH") == "" {
		return nil, fmt.Errorf("%w (is ROS 2's setup.sh sourced?)", err)
	}
	return tr, err
}
