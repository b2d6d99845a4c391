// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// The statuses with which the program ends.
const (
	ExitOK     = 0
	ExitFailed = 1
	ExitUsage  = 2
	// ExitBrokenPipe: the reader of standard output has gone, as in "epuck-driver topic echo /odom | head -3". It is
	// the status that shells report for programs that SIGPIPE ends.
	ExitBrokenPipe = 128 + 13
)

// StatusError ends the program with a status; what went wrong has been said.
type StatusError int

// Error says which status.
func (e StatusError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// Dispatch runs the command that args name and turns its error into an exit status. What the command writes to s.Out
// and s.Err is escaped: much of it is text from the network or from files. A command that writes control sequences of
// its own takes the writer below ([printable.Unwrap]).
//
// Output that could not be written makes the status [ExitFailed], whatever the command, and [ExitBrokenPipe] if the
// reader of standard output has gone. The loss of log lines to a reader of standard error that has gone is no failure.
func Dispatch(ctx context.Context, s Streams, args []string, groups []Group) int {
	out, problems := tty.NewStream(s.Out), tty.NewStream(s.Err)
	s.Out, s.Err = printable.NewWriter(out), printable.NewWriter(problems)
	p := &Program{Streams: s, Line: args, out: out}
	status := p.dispatch(ctx, args, groups)
	p.attach()
	switch lost := out.Err(); {
	case tty.IsBrokenPipe(lost) && status != ExitUsage:
		return ExitBrokenPipe
	case lost != nil && status == ExitOK:
		fmt.Fprintf(s.Err, "epuck-driver: standard output could not be written: %v\n", lost)
		return ExitFailed
	}
	if lost := problems.Err(); lost != nil && !tty.IsBrokenPipe(lost) && status == ExitOK {
		return ExitFailed // there is nowhere to say so
	}
	return status
}

// dispatch runs the command that args name.
func (p *Program) dispatch(ctx context.Context, args []string, groups []Group) int {
	root := NewRoot(p, groups)
	if len(args) == 0 {
		_ = helpOf(root).write(p.Err) // Dispatch reports what could not be written
		return ExitUsage
	}
	if args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd {
		return p.complete(ctx, root, args)
	}
	rest, wrong := p.splitROSArguments(root, args)
	if wrong != nil {
		cmd, _, _ := root.Find(rest) // splitROSArguments has found it, too
		return p.report(cmd, wrong)
	}
	if cmd, err := misspelled(root, rest); err != nil {
		return p.report(cmd, err)
	}
	root.SetArgs(shell.Normalize(root, rest))
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !p.working && !errors.As(err, new(shell.Status)) {
		err = UsageError{err.Error()}
	}
	return p.report(cmd, err)
}

// report says what went wrong and returns the exit status.
func (p *Program) report(cmd *cobra.Command, err error) int {
	var wrong UsageError
	var status StatusError
	var toolStatus shell.Status
	switch {
	case tty.IsBrokenPipe(err) && p.out != nil && tty.IsBrokenPipe(p.out.Err()):
		return ExitBrokenPipe // as programs that SIGPIPE ends: without a word
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &toolStatus):
		return int(toolStatus)
	case err == nil, errors.Is(err, context.Canceled):
		return ExitOK
	case errors.As(err, &wrong):
		fmt.Fprintf(p.Err, "%s: %v\nusage: %s\n", cmd.CommandPath(), err, usageLine(cmd))
		return ExitUsage
	default:
		fmt.Fprintf(p.Err, "%s: %v\n", cmd.CommandPath(), err)
		return ExitFailed
	}
}

// usageLine says in a line how to use a command, and where to read more.
func usageLine(cmd *cobra.Command) string {
	line := cmd.UseLine()
	if cmd.HasSubCommands() && !cmd.Runnable() {
		line = cmd.CommandPath() + " COMMAND"
	}
	if cmd.Annotations[takesROS] != "" {
		line += " [" + ROSArgs + " …]"
	}
	return line + "\n       " + cmd.CommandPath() + " --help"
}

// complete answers a shell that completes a word of the command line.
func (p *Program) complete(ctx context.Context, root *cobra.Command, args []string) int {
	if completesROSArguments(args) {
		for _, w := range rosArgumentWords(args) {
			fmt.Fprintln(p.Out, w)
		}
		fmt.Fprintf(p.Out, ":%d\n", cobra.ShellCompDirectiveNoSpace)
		return ExitOK
	}
	last := len(args) - 1
	if _, rest, err := ros2.ParseArgs(args[:last]); err == nil {
		args = append(rest, args[last])
	}
	root.SetErr(io.Discard) // cobra explains itself there
	root.SetArgs(args)
	_, err := root.ExecuteContextC(ctx)
	if err != nil {
		return ExitFailed
	}
	return ExitOK
}
