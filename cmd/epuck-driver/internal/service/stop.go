// SPDX-License-Identifier: Apache-2.0

package service

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"
	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// NewStopCommand returns the command that stops the robot this machine is mounted on, which the service runs after
// its program was killed. It needs neither a network nor a driver, and accepts the ROS arguments of run so that both
// use the same bus.
func NewStopCommand(p *frame.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "Stop this robot's wheels and put its LEDs out, without a driver",
		Long: "Stops the wheels of the robot that this machine sits on and puts its LEDs out. It needs no network and no\n" +
			"driver, and takes the ROS arguments of run so that both find the same bus. The system service ends with it.",
		Example: "  epuck-driver stop\n  epuck-driver stop --ros-args -p i2c_bus:=12",
		Args:    frame.NoArguments,
		RunE:    func(*cobra.Command, []string) error { return stopRobot(p.Streams, p.ROS) },
	}
	p.TakesROSArguments(cmd)
	return cmd
}

// stopRobot stops the robot on the bus that args select.
func stopRobot(s frame.Streams, args ros2.Args) (err error) {
	name, err := driver.RobotBus(args)
	if err != nil {
		return err
	}
	log := slog.New(tty.LogTo(s.Err, nil))
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
	_, err = fmt.Fprintln(s.Out, "the robot is stopped and its LEDs are off")
	return err
}
