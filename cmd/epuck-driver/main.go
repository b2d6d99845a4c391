// SPDX-License-Identifier: Apache-2.0

// Command epuck-driver makes an e-puck2 robot with a Pi-puck a ROS 2 robot, or simulates robots.
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
// wrong. The shell tools have the statuses of the ros2 command: 2 when they were interrupted, too. Output that cannot
// be written is a failure, too: 1, or 141 if the reader of standard output has gone.
//
// groups.go has the commands; internal/frame/program.go says how to add one. Every command is in a package below
// internal.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// Set by the release build (scripts/cross.sh, -ldflags -X); a plain "go build" leaves them to what Go itself recorded.
var (
	version = "" // git describe
	commit  = "" // full hash, with "-dirty" when the tree held more than the commit
	date    = "" // day of the commit, 2006-01-02
)

func main() {
	build.Version, build.Commit, build.Date = version, commit, date
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	task.AfterDone(ctx, "second signal", stop) // a second signal ends the program at once
	// A write to a pipe whose reader has gone fails then, and does not end the program: a recording continues without
	// its log. Unlike ignoring the signal this is not inherited by programs that this one starts.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	task.AtPanic(frame.ReportPanic)
	status := frame.ExitFailed
	task.Run("main", func() {
		status = frame.Dispatch(ctx, frame.Streams{Out: os.Stdout, Err: os.Stderr, Exit: os.Exit}, os.Args[1:], commandGroups())
	})
	os.Exit(status)
}
