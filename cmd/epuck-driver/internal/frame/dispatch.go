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

// Exit statuses of the program.
const (
	ExitOK     = 0
	ExitFailed = 1
	ExitUsage  = 2
	// ExitBrokenPipe: the reader of standard output has closed it, as in "epuck-driver topic echo /odom | head -3".
	// It is the status that shells report for programs killed by SIGPIPE.
	ExitBrokenPipe = 128 + 13
)

// StatusError ends the program with a status; the reason has been printed.
type StatusError int

// Error returns the status as text.
func (e StatusError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// Dispatch runs the command that args name and returns the exit status for its error. The output of the command to
// s.Out and s.Err is escaped: much of it is text from the network or from files. A command that writes its own
// control sequences uses the underlying writer ([printable.Unwrap]).
//
// If output could not be written the status is [ExitFailed], for any command, and [ExitBrokenPipe] if the reader of
// standard output has closed it. Log lines that are lost because the reader of standard error has closed it are not a
// failure.
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
		return ExitFailed // it can't be reported anywhere
	}
	return status
}

// dispatch runs the command that args name.
func (p *Program) dispatch(ctx context.Context, args []string, groups []Group) int {
	root := NewRoot(p, groups)
	if len(args) == 0 {
		_ = helpOf(root).write(p.Err) // Dispatch reports write errors
		return ExitUsage
	}
	if args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd {
		return p.complete(ctx, root, args)
	}
	rest, wrong := p.splitROSArguments(root, args)
	if wrong != nil {
		cmd, _, _ := root.Find(rest) // splitROSArguments has also found it
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

// report prints an error and returns the exit status.
func (p *Program) report(cmd *cobra.Command, err error) int {
	var wrong UsageError
	var status StatusError
	var toolStatus shell.Status
	switch {
	case tty.IsBrokenPipe(err) && p.out != nil && tty.IsBrokenPipe(p.out.Err()):
		return ExitBrokenPipe // as programs killed by SIGPIPE: without a message
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

// usageLine returns the usage of a command, and how to show its help.
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

// complete prints the completions of a word of the command line for a shell.
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
	root.SetErr(io.Discard) // cobra prints debug text there
	root.SetArgs(args)
	_, err := root.ExecuteContextC(ctx)
	if err != nil {
		return ExitFailed
	}
	return ExitOK
}
