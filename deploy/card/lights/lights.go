// SPDX-License-Identifier: Apache-2.0

// Package lights signals faults of the card by the robot's LEDs before the driver uses them.
package lights

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// period is the period of the packets: they are repeated because the robot's processors may restart.
const period = 100 * time.Millisecond

// Show opens the robot's bus, sets all four RGB LEDs to a colour 0xRRGGBB for a time and then switches them off. The
// wheels are stopped meanwhile. If the robot does not respond it returns an error immediately.
func Show(ctx context.Context, rrggbb uint32, hold time.Duration) error {
	bus, err := i2c.Open(i2c.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	dev, err := mcu.New(bus, nil)
	if err == nil {
		err = shine(ctx, dev, rrggbb, hold)
	}
	return errors.Join(err, bus.Close())
}

// exchanger is the robot's microcontroller.
type exchanger interface {
	Exchange(c mcu.Command) (mcu.Sensors, error)
}

// shine sends the colour repeatedly.
func shine(ctx context.Context, dev exchanger, rrggbb uint32, hold time.Duration) error {
	colour := mcu.RGBFromHex(rrggbb)
	c := mcu.Command{RGB: [4]mcu.RGB{colour, colour, colour, colour}}
	if _, err := dev.Exchange(c); err != nil {
		return err
	}
	tick := time.NewTicker(period)
	defer tick.Stop()
	end := time.NewTimer(hold)
	defer end.Stop()
	for {
		select {
		case <-ctx.Done():
			return darken(dev)
		case <-end.C:
			return darken(dev)
		case <-tick.C:
			_, _ = dev.Exchange(c) // a lost packet is followed by another one
		}
	}
}

// darken switches the LEDs off; two packets because the robot may drop the first one after an error.
func darken(dev exchanger) error {
	_, _ = dev.Exchange(mcu.Command{})
	_, err := dev.Exchange(mcu.Command{})
	return err
}
