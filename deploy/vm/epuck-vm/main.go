// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Command epuck-vm boots the tests' virtual machine, runs one shell command in it as root and prints its output;
// scripts/vm.sh runs it.
//
// epuck-vm [-console] [-net] [-file NAME=FILE]… COMMAND…
//
// Its exit status is that of the command.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/epuck-ros2/epuck-driver/deploy/vm"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

func main() { os.Exit(run()) }

// options are the options of the command line.
type options struct {
	cfg              vm.Config
	root, command    string
	console, network bool
}

// parse parses the command line. Usage and errors of flags are written to complain.
func parse(args []string, complain io.Writer) (options, error) {
	o := options{cfg: vm.Config{Payload: map[string]string{}}}
	flags := flag.NewFlagSet("epuck-vm", flag.ContinueOnError)
	flags.SetOutput(complain)
	flags.StringVar(&o.root, "root", ".", "the project's folder")
	flags.BoolVar(&o.console, "console", false, "show the machine's console")
	flags.BoolVar(&o.network, "net", false, "connect the machine to a network, in a private network namespace")
	flags.Func("file", "NAME=FILE: copy FILE to "+vm.PayloadDir+"/NAME; may be repeated", func(s string) error {
		name, file, ok := strings.Cut(s, "=")
		if !ok || name == "" || file == "" {
			return errors.New("want NAME=FILE")
		}
		o.cfg.Payload[name] = file
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.command = strings.Join(flags.Args(), " "); o.command == "" {
		return o, errors.New("want a command")
	}
	return o, nil
}

func run() int {
	o, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return fail(err)
	}
	cfg := o.cfg
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	image, err := vm.BuildImage(ctx, o.root, os.Stderr) // it may download: before the private network
	if err != nil {
		return fail(err)
	}
	cfg.Image = image
	if o.network {
		status, inside, err := vm.Isolate()
		if err == nil && !inside {
			return status
		}
		if err == nil {
			err = vm.Cable()
		}
		if err != nil {
			return fail(err)
		}
		cfg.TAP = vm.CableTAP
	}
	cfg.Console = io.Discard
	if o.console {
		cfg.Console = os.Stderr
	}
	return execute(ctx, cfg, o.command)
}

// execute boots a machine, runs one command in it and returns the exit status.
func execute(ctx context.Context, cfg vm.Config, command string) int {
	machine, err := vm.Start(ctx, cfg)
	if err != nil {
		return fail(err)
	}
	task.AfterDone(ctx, "interrupt", func() { _ = machine.Close() })
	out, err := machine.Exec(ctx, command)
	fmt.Print(out)
	if cerr := machine.Close(); cerr != nil {
		return fail(cerr)
	}
	var exit *vm.ExitError
	switch {
	case errors.As(err, &exit):
		return exit.Status
	case err != nil:
		return fail(err)
	}
	return 0
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}
