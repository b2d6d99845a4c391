// SPDX-License-Identifier: Apache-2.0

// Command epuck-driver makes an e-puck2 robot with a Pi-puck a ROS 2 robot, or shows one that is simulated.
//
//	epuck-driver sim      the driver on a simulated robot
//	epuck-driver run      the driver on this robot
//	epuck-driver stop     stop the wheels of this robot
//	epuck-driver doctor   what is wrong with this machine
//	epuck-driver drive    publish cmd_vel from another shell
//	epuck-driver version  what this program is
//
//	epuck-driver topic, node, param, service  look into any ROS 2 network, as the ros2 command does
//
// Exit status: 0 after an orderly end (SIGINT and SIGTERM too), 1 when the work failed, 2 when the command line is
// wrong. The shell tools have the statuses of the ros2 command: 2 when they were interrupted, too.
//
// root.go has the tree of commands, and says how to add one.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// statusError ends the program with a status; what went wrong has been said.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	task.AfterDone(ctx, "second signal", stop) // a second signal ends the program at once
	task.AtPanic(reportPanic)
	status := exitFailed
	task.Run("main", func() { status = dispatch(ctx, streams{out: os.Stdout, err: os.Stderr, exit: os.Exit}, os.Args[1:]) })
	os.Exit(status)
}

// dispatch runs the command that args name and turns its error into an exit status.
func dispatch(ctx context.Context, s streams, args []string) int {
	p := &program{streams: s, line: args}
	defer p.attach()
	root := newRoot(p)
	if len(args) == 0 {
		root.SetOut(s.err)
		_ = root.Usage() // to standard error, which has nowhere else to complain
		return exitUsage
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
		err = usageError{err.Error()}
	}
	return p.report(cmd, err)
}

// report says what went wrong and returns the exit status.
func (p *program) report(cmd *cobra.Command, err error) int {
	var wrong usageError
	var status statusError
	var toolStatus shell.Status
	switch {
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &toolStatus):
		return int(toolStatus)
	case err == nil, errors.Is(err, context.Canceled):
		return exitOK
	case errors.As(err, &wrong):
		fmt.Fprintf(p.err, "%s: %v\nusage: %s\n", cmd.CommandPath(), err, usageLine(cmd))
		return exitUsage
	default:
		fmt.Fprintf(p.err, "%s: %v\n", cmd.CommandPath(), err)
		return exitFailed
	}
}

// usageLine says in a line how to use a command, and where to read more.
func usageLine(cmd *cobra.Command) string {
	line := cmd.UseLine()
	if cmd.HasSubCommands() {
		line = cmd.CommandPath() + " COMMAND"
	}
	if cmd.Annotations[takesROS] != "" {
		line += " [" + rosArgs + " …]"
	}
	return line + "\n       " + cmd.CommandPath() + " --help"
}

// complete answers a shell that completes a word of the command line.
func (p *program) complete(ctx context.Context, root *cobra.Command, args []string) int {
	if completesROSArguments(args) {
		for _, w := range rosArgumentWords(args) {
			fmt.Fprintln(p.out, w)
		}
		fmt.Fprintf(p.out, ":%d\n", cobra.ShellCompDirectiveNoSpace)
		return exitOK
	}
	last := len(args) - 1
	if _, rest, err := ros2.ParseArgs(args[:last]); err == nil {
		args = append(rest, args[last])
	}
	root.SetErr(io.Discard) // cobra explains itself there
	root.SetArgs(args)
	_, err := root.ExecuteContextC(ctx)
	if err != nil {
		return exitFailed
	}
	return exitOK
}
