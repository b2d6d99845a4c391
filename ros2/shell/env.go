// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// Env is the environment of the tools. All fields but TypeNames and Sources are required.
type Env struct {
	// Program is the command's name in usage texts, as in "epuck-driver".
	Program string
	// Out gets the output, Err the errors.
	Out, Err io.Writer
	// Open creates the transport, which the tool closes.
	Open func() (ros2.Transport, error)
	// Node is the name of the node of tools that need one. A leading underscore hides it from lists of nodes.
	Node string
	// Types returns the definitions of message types.
	Types dynamic.Lookup
	// TypeNames lists the types of Types, for completion.
	TypeNames []string
	// Sources has the definitions with comments, "std_msgs/msg/Header.msg", for "interface show". It may be nil.
	Sources fs.FS
}

// Exit statuses of [Run], those of the ros2 command.
const (
	ExitOK = 0
	// ExitFailed: the command failed; a line on Err has the reason.
	ExitFailed = 1
	// ExitUsage: the command line is wrong.
	ExitUsage = 2
	// ExitInterrupted: the context ended, by Ctrl-C for example.
	ExitInterrupted = 2
)

// Errors of the tools. Their texts are the ros2 command's if it has one.
var (
	// errSilent ends with [ExitFailed] and no text.
	errSilent = errors.New("")
	// errNoServices: the transport supports only topics.
	errNoServices = errors.New("the transport does not support services")
)

// failure is an error with the text of the ros2 command, which is printed unchanged.
type failure string

func (f failure) Error() string { return string(f) }

func failf(format string, args ...any) error { return failure(fmt.Sprintf(format, args...)) }

// Status is an exit status other than [ExitOK], as an error. The reason has already been printed.
type Status int

// Error returns the number.
func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// Run runs the tool that args name, as in {"topic", "list", "-t"}, and returns the exit status. It returns when the
// tool has finished or ctx ends. A program with its own [cobra.Command] uses [Commands] instead.
func Run(ctx context.Context, env Env, args []string) int {
	env.escape()
	return env.run(ctx, commands(), args)
}

// escape escapes control characters in the output, which has names, types and strings from the network.
func (env *Env) escape() {
	env.Out, env.Err = printable.NewWriter(env.Out), printable.NewWriter(env.Err)
}

func (env *Env) run(ctx context.Context, all []command, args []string) int {
	root := &cobra.Command{Use: env.Program, SilenceErrors: true, SilenceUsage: true}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetOut(env.Out)
	root.SetErr(env.Err)
	root.AddCommand(env.groups(all)...)
	root.SetArgs(Normalize(root, args))
	err := root.ExecuteContext(ctx)
	var status Status
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &status):
		return int(status)
	}
	_ = env.usageError(root, err.Error())
	return ExitUsage
}

// usageError prints the error of the command line and the usage.
func (env *Env) usageError(cmd *cobra.Command, text string) error {
	fmt.Fprintf(env.Err, "usage: %s\n%s: error: %s\n", cmd.UseLine(), cmd.CommandPath(), text)
	return Status(ExitUsage)
}

// status prints an error and returns the exit status.
func (env *Env) status(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return Status(ExitInterrupted)
	case errors.Is(err, errSilent):
		return Status(ExitFailed)
	}
	fmt.Fprintln(env.Err, err)
	return Status(ExitFailed)
}
