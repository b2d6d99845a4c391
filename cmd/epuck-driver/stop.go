// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// runStop stops the robot this machine sits on: the service's last word after its program was killed. It needs neither a
// network nor a driver, and takes the arguments of run so that both find the same bus.
func runStop(_ context.Context, s streams, args []string) (err error) {
	rosArgs, rest, err := ros2.ParseArgs(args)
	if err != nil {
		return usagef("%v", err)
	}
	if err := parseFlags(flag.NewFlagSet("stop", flag.ContinueOnError), rest); err != nil {
		return err
	}
	name, err := driver.RobotBus(rosArgs)
	if err != nil {
		return err
	}
	log := slog.New(logTo(s.err, nil))
	bus, err := i2c.Open(i2c.Config{Bus: name, Logger: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bus.Close()) }()
	var board pi2c.Bus
	if b, err := i2c.Open(i2c.Config{Bus: i2c.Board, Logger: log}); err == nil {
		board = b
		defer func() { _ = b.Close() }()
	}
	if err := driver.Stop(bus, board, ros2.SystemClock()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, "the robot stands and its LEDs are off")
	return err
}
