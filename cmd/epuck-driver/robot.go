// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// runRobot runs the driver on the robot this machine sits on. Without one it fails: hardware is never simulated silently.
func runRobot(ctx context.Context, s streams, args []string) error {
	rosArgs, rest, err := ros2.ParseArgs(args)
	if err != nil {
		return usagef("%v", err)
	}
	on, rest, err := takeNetwork(rest, args)
	if err != nil {
		return err
	}
	set := flag.NewFlagSet("run", flag.ContinueOnError)
	duration := set.Duration("for", 0, "end after this time; 0 is never")
	wait := set.Bool("wait", false, "wait for a robot that does not answer, instead of failing")
	if err := parseFlags(set, rest); err != nil {
		return err
	}
	sv := service{args: rosArgs, on: on, duration: *duration, open: openRobot, wait: *wait}
	sv.ready = func(n *ros2.Node, d *driver.Driver) error { return sv.found(ctx, n, d) }
	return sv.serve(ctx, s)
}
