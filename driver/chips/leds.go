// SPDX-License-Identifier: Apache-2.0

package chips

import (
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
)

// LEDPolls is the maximum rate of changes of an LED of the board, Hz. The chip is written at changes, and once a second
// to check that it is present.
const LEDPolls = 20

// LEDs is the part of the Pi-puck board's LEDs.
type LEDs struct{ *pipuck.Dev }

// NewLEDs returns the part of the LEDs on a bus; their Set is safe for concurrent use.
func NewLEDs(bus i2c.Bus) (LEDs, error) {
	dev, err := pipuck.New(bus, pipuck.Addr, nil)
	if err != nil {
		return LEDs{}, err
	}
	return LEDs{dev}, nil
}

// Measure writes; there is nothing to read.
func (p LEDs) Measure(now time.Time) (news bool, err error) {
	return false, p.Poll(now)
}
