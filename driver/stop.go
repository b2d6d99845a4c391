// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Stop stops the wheels of a robot and puts its LEDs out, without a node or a network: for a program that finds a robot
// that was left running, such as the service after its program was killed. The robot has no motor watchdog of its own.
//
// It sends zero speeds until the robot has shown that it stands, see [mcu.Dev.Halt]; a failure matches [ErrNotStopped].
// Then it puts the LEDs of the Pi-puck board out, if board is not nil and they answer, which is no reason to fail. The
// caller owns the buses; no driver may use them meanwhile, or its next cycle sets the wheels going again.
func Stop(bus, board i2c.Bus, clock ros2.Clock) error {
	if bus == nil || clock == nil {
		return fmt.Errorf("%w: Stop needs a bus and a clock", ErrConfig)
	}
	dev, err := mcu.New(bus, &mcu.Opts{Now: clock.Now})
	if err != nil {
		return fmt.Errorf("driver: %w", err)
	}
	if err := dev.Halt(); err != nil { // of a new Dev, so with all lights off
		return fmt.Errorf("%w: %w", ErrNotStopped, err)
	}
	if board != nil {
		return darken(board, clock.Now())
	}
	return nil
}

// darken puts out the LEDs of the Pi-puck board; a board without them is no error.
func darken(board i2c.Bus, now time.Time) error {
	leds, err := pipuck.New(board, pipuck.Addr, nil)
	if err != nil {
		return fmt.Errorf("driver: %w", err)
	}
	for range pipuck.LEDs { // each Poll writes one, and all are to be off from the start
		if err := leds.Poll(now); err != nil {
			return nil //nolint:nilerr // no board, or not this one
		}
	}
	return nil
}
