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

// Stop stops the wheels of a robot and turns its LEDs off, without a node or a network: for a robot that was left
// running, for instance after its program was killed. The robot has no motor watchdog.
//
// It sends zero speeds until the robot has confirmed that it is stopped, see [mcu.Dev.Halt]; a failure matches
// [ErrNotStopped]. Then it turns off the LEDs of the Pi-puck board if board is not nil; failures of that are ignored.
// The caller owns the buses; no driver may use them meanwhile, or its next cycle starts the wheels again.
func Stop(bus, board i2c.Bus, clock ros2.Clock) error {
	if bus == nil || clock == nil {
		return fmt.Errorf("%w: Stop needs a bus and a clock", ErrConfig)
	}
	dev, err := mcu.New(bus, &mcu.Opts{Now: clock.Now})
	if err != nil {
		return fmt.Errorf("driver: %w", err)
	}
	if err := dev.Halt(); err != nil { // a new Dev has all lights off
		return fmt.Errorf("%w: %w", ErrNotStopped, err)
	}
	if board != nil {
		return darken(board, clock.Now())
	}
	return nil
}

// darken turns off the LEDs of the Pi-puck board; a board without them is not an error.
func darken(board i2c.Bus, now time.Time) error {
	leds, err := pipuck.New(board, pipuck.Addr, nil)
	if err != nil {
		return fmt.Errorf("driver: %w", err)
	}
	for range pipuck.LEDs { // each Poll writes one LED
		if err := leds.Poll(now); err != nil {
			return nil //nolint:nilerr // no board, or one without LEDs
		}
	}
	return nil
}
