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
//	epuck-driver topic, node, param, service, completion  look into any ROS 2 network, as the ros2 command does
//
// Exit status: 0 after an orderly end (SIGINT and SIGTERM too), 1 when the work failed, 2 when the command line is wrong.
// The shell tools have the statuses of the ros2 command: 2 when they were interrupted, too.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// streams are what a command reads and writes; tests give buffers.
type streams struct {
	out, err io.Writer
}

// command is one sub-command. run gets the arguments after the name and returns when ctx ends or the work is done.
type command struct {
	name, args, summary string
	run                 func(ctx context.Context, s streams, args []string) error
}

// usageError is a wrong command line: exit status 2.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(dispatch(ctx, streams{out: os.Stdout, err: os.Stderr}, os.Args[1:]))
}

func commands() []command {
	return []command{
		{"sim", "[--world FILE|NAME] [--seed N] [--imu MODEL] [--without PART,…] [--for 10s] [--i2c-device N] [--snapshot PNG] [--transport rtps|rclgo] [--ros-args …]", "run the driver on a simulated robot", runSim},
		{"run", "[--wait] [--for 10s] [--transport rtps|rclgo] [--ros-args …]", "run the driver on this robot", runRobot},
		{"stop", "[--ros-args …]", "stop this robot's wheels and put its LEDs out, without a driver", runStop},
		{"doctor", "[--json] [--ros-args …]", "look whether this machine has what the driver needs, and say how to mend it; stops the wheels", runDoctor},
		{"drive", "V W [--for 2s] [--transport rtps|rclgo] [--ros-args …]", "publish cmd_vel: V m/s forward, W rad/s to the left", runDrive},
		{"topic", "list|info|echo|hz|bw|pub|type|find …", "show and publish topics, as ros2 topic", shellTool("topic")},
		{"node", "list|info …", "show nodes, as ros2 node", shellTool("node")},
		{"param", "list|get|set|describe|dump|load|delete …", "show and set parameters, as ros2 param", shellTool("param")},
		{"service", "list|call|type|find …", "show and call services, as ros2 service", shellTool("service")},
		{"completion", "bash|zsh|fish", "print the script that completes these commands: source <(epuck-driver completion bash)", runCompletion},
		{"man", "", "print the manual page: man -l <(epuck-driver man)", runMan},
		{"version", "[--json]", "print what this program is", runVersion},
	}
}

// dispatch runs the named command and turns its error into an exit status.
func dispatch(ctx context.Context, s streams, args []string) int {
	if len(args) == 0 {
		usage(s.err)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		usage(s.out)
		return exitOK
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return report(s.err, c, c.run(ctx, s, args[1:]))
		}
	}
	fmt.Fprintf(s.err, "epuck-driver: no command %q\n\n", args[0])
	usage(s.err)
	return exitUsage
}

func report(w io.Writer, c command, err error) int {
	var wrong usageError
	var status statusError
	switch {
	case errors.As(err, &status):
		return int(status)
	case err == nil, errors.Is(err, context.Canceled):
		return exitOK
	case errors.As(err, &wrong):
		fmt.Fprintf(w, "epuck-driver %s: %v\nusage: epuck-driver %s %s\n", c.name, err, c.name, c.args)
		return exitUsage
	default:
		fmt.Fprintf(w, "epuck-driver %s: %v\n", c.name, err)
		return exitFailed
	}
}

func usage(w io.Writer) {
	fmt.Fprint(w, "epuck-driver makes an e-puck2 robot with a Pi-puck a ROS 2 robot.\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  epuck-driver %-8s %s\n      %s\n", c.name, c.args, c.summary)
	}
	fmt.Fprint(w, "\n--ros-args -r from:=to -r __ns:=/robot1 -p name:=value --params-file FILE --log-level debug\n"+
		"and ROS_DOMAIN_ID work as for every ROS 2 program.\n")
}
