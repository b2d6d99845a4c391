// SPDX-License-Identifier: Apache-2.0

package devices

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
)

// LEDPolls is the maximum rate of changes of an LED of the board, Hz. The chip is written at changes, and once a second
// to check that it is present.
const LEDPolls = 20

// LEDs is the part of the Pi-puck board's LEDs.
type LEDs struct{ hardware.LEDs }

// Measure writes; there is nothing to read.
func (p LEDs) Measure(now time.Time) (news bool, err error) {
	return false, p.Poll(now)
}
