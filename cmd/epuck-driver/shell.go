// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// statusError ends the program with a status; what went wrong has been said.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// shellTool returns the command that runs a group of the shell tools.
func shellTool(group string) func(context.Context, streams, []string) error {
	return func(ctx context.Context, s streams, args []string) error {
		if status := shell.Run(ctx, shellEnv(s), append([]string{group}, args...)); status != shell.ExitOK {
			return statusError(status)
		}
		return nil
	}
}

// shellEnv is what the shell tools work with: this network and the message types that the program knows.
func shellEnv(s streams) shell.Env {
	return shell.Env{
		Program: "epuck-driver", Out: s.out, Err: s.err,
		Open:  func() (ros2.Transport, error) { return openNetwork(s) },
		Node:  fmt.Sprintf("_epuck_driver_%d", os.Getpid()),
		Types: msgs.Definition, TypeNames: msgs.Names(),
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

// runCompletion prints the completion script of a shell or, for that script, the words that may come next.
func runCompletion(ctx context.Context, s streams, args []string) error {
	if len(args) > 0 && args[0] == "words" {
		for _, w := range completions(ctx, s, args[1:]) {
			fmt.Fprintln(s.out, w)
		}
		return nil
	}
	if len(args) != 1 {
		return usagef("want the name of a shell: bash, zsh or fish")
	}
	script, ok := shell.CompletionScript(args[0], "epuck-driver", "completion words")
	if !ok {
		return usagef("no completion for %q: bash, zsh and fish have one", args[0])
	}
	fmt.Fprint(s.out, script)
	return nil
}

// completions returns the words that may stand in the place of the last one of args.
func completions(ctx context.Context, s streams, args []string) []string {
	if len(args) > 1 {
		return shell.Complete(ctx, shellEnv(s), args)
	}
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return shell.Matching(names, args...)
}
