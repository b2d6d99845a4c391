// SPDX-License-Identifier: Apache-2.0

package pipuck

import (
	"fmt"

	"periph.io/x/conn/v3/gpio"
)

// input configures a pin as an input.
func input(pin gpio.PinIn, pull gpio.Pull) error {
	if pin == nil || pin == gpio.INVALID {
		return fmt.Errorf("%w: no pin", errPin)
	}
	if err := pin.In(pull, gpio.NoEdge); err != nil {
		return fmt.Errorf("%w: %s as input: %w", errPin, pin, err)
	}
	return nil
}

// Charger is the signal of the charging contacts. It is safe for concurrent use as far as its pin is.
type Charger struct{ pin gpio.PinIn }

// NewCharger configures the pin as an input. It fails without a pin, and if the pin can't be an input; the error wraps
// the pin's error.
func NewCharger(pin gpio.PinIn) (*Charger, error) {
	if err := input(pin, gpio.Float); err != nil {
		return nil, fmt.Errorf("charger: %w", err)
	}
	return &Charger{pin}, nil
}

// Connected reports whether a charger is connected, and whether that is known; not known of a nil Charger. It fits the
// option Charger of package battery.
func (c *Charger) Connected() (connected, known bool) {
	if c == nil {
		return false, false
	}
	return c.pin.Read() == gpio.High, true
}
