// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// Env is what the tools work with. All fields but TypeNames are required.
type Env struct {
	// Program is the command's name in usage texts, as in "epuck-driver".
	Program string
	// Out gets the output, Err the errors.
	Out, Err io.Writer
	// Open joins the network. The tool closes the transport.
	Open func() (ros2.Transport, error)
	// Node is the name of the node that the tools have on the network where they
	// need one. A leading underscore hides it from lists of nodes.
	Node string
	// Types gives the definitions of the message types that are known.
	Types dynamic.Lookup
	// TypeNames lists the types that Types knows, for completion.
	TypeNames []string
}

// Exit statuses of [Run], those of the ros2 command.
const (
	ExitOK = 0
	// ExitFailed: the work failed; a line on Err says why.
	ExitFailed = 1
	// ExitUsage: the command line is wrong.
	ExitUsage = 2
	// ExitInterrupted: the context ended, by Ctrl-C for example.
	ExitInterrupted = 2
)

// Errors of the tools. Their texts are the ros2 command's where it has one.
var (
	// errSilent ends with [ExitFailed] and no text.
	errSilent = errors.New("")
	// errNoServices: the transport carries topics only.
	errNoServices = errors.New("this network carries no services")
)

// failure is an error whose text is the ros2 command's, to be shown as it is.
type failure string

func (f failure) Error() string { return string(f) }

func failf(format string, args ...any) error { return failure(fmt.Sprintf(format, args...)) }

// usageError is a wrong command line.
type usageError struct {
	command *command // nil if there is none of that name
	text    string
}

func (e *usageError) Error() string { return e.text }

// Run runs the tool that args name, as in {"topic", "list", "-t"}, and returns the
// exit status. It returns when the work is done or ctx ends.
func Run(ctx context.Context, env Env, args []string) int {
	err := run(ctx, &env, args)
	var wrong *usageError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &wrong):
		env.usage(env.Err, wrong.command, args)
		fmt.Fprintf(env.Err, "%s: error: %s\n", env.title(wrong.command, args), wrong.text)
		return ExitUsage
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return ExitInterrupted
	case errors.Is(err, errSilent):
		return ExitFailed
	}
	fmt.Fprintln(env.Err, err)
	return ExitFailed
}

// Groups returns the first words that [Run] knows: "node", "param", "service" and
// "topic".
func Groups() []string {
	var groups []string
	all := commands()
	for i := range all {
		if g := all[i].group; len(groups) == 0 || groups[len(groups)-1] != g {
			groups = append(groups, g)
		}
	}
	return groups
}

func run(ctx context.Context, env *Env, args []string) error {
	c, rest, err := find(args)
	if err != nil {
		return err
	}
	if c == nil { // help for a group
		env.usage(env.Out, nil, args)
		return nil
	}
	parsed, err := parse(c, rest)
	if err != nil {
		return err
	}
	if parsed.help {
		env.usage(env.Out, c, args)
		return nil
	}
	s := &session{env: env, args: parsed}
	err = c.run(ctx, s)
	return errors.Join(err, s.close())
}
