// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
)

// ledPolls is how often an LED of the board may change, Hz. The chip is written to only when one does, and once a
// second to see whether it is there.
const ledPolls = 20

// ledPart is the LEDs of the Pi-puck board as a part.
type ledPart struct{ *pipuck.Dev }

func (d *Driver) newLEDPart(bus i2c.Bus, _ *table.Settings, _ *table.Reading) (parts.Part, error) {
	dev, err := pipuck.New(bus, pipuck.Addr, nil)
	if err != nil {
		return nil, err
	}
	d.board.leds = dev
	return ledPart{dev}, nil
}

// Measure writes; there is nothing to read.
func (p ledPart) Measure(now time.Time) (news bool, err error) {
	return false, p.Poll(now)
}

// onBoardLED has an LED of the board show a colour 0xRRGGBB; each part of it is on unless it is 0.
func (d *Driver) onBoardLED(led int, colour int32) {
	if err := d.board.leds.Set(led, pipuck.ColourOf(uint32(colour))); err != nil && d.nonsense.allow(d.clock.Now()) {
		d.log.Warn("an LED was refused", "error", err)
	}
	d.stir()
}
