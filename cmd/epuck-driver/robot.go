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
	set := flag.NewFlagSet("run", flag.ContinueOnError)
	duration := set.Duration("for", 0, "end after this time; 0 is never")
	if err := parseFlags(set, rest); err != nil {
		return err
	}
	return service{
		args: rosArgs, duration: *duration, open: openRobot,
		ready: func(_ *ros2.Node, d *driver.Driver) error { return d.Probe(ctx) },
	}.serve(ctx, s)
}
