// SPDX-License-Identifier: Apache-2.0

package driver

import (
	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
)

// boardState is what the goroutine knows that polls the chips of the Pi-puck board and reads the battery's files.
// No other goroutine touches it.
type boardState struct {
	meter   *i2c.Meter // around the bus; nil without one
	parts   busParts
	reading table.Reading
	leds    *pipuck.Dev // set by subscriptions; nil without a bus
}

// bus gives the bus, nil if there is none.
func (b *boardState) bus() pi2c.Bus {
	if b.meter == nil {
		return nil
	}
	return b.meter
}
