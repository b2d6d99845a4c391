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

// period of the packets: the robot's own processors may restart in between.
const period = 100 * time.Millisecond

// Show opens the robot's bus and lets all four RGB LEDs shine in a colour 0xRRGGBB for as long as hold lasts, then puts
// them out. The wheels are stopped meanwhile. A robot that does not answer gives an error at once: it can show nothing.
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

// shine sends the colour again and again.
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
			_, _ = dev.Exchange(c) // one that is lost is followed by another
		}
	}
}

// darken puts the LEDs out; the first packet may be the one that the robot drops after an error.
func darken(dev exchanger) error {
	_, _ = dev.Exchange(mcu.Command{})
	_, err := dev.Exchange(mcu.Command{})
	return err
}
