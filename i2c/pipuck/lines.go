// SPDX-License-Identifier: Apache-2.0

package pipuck

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// input sets a pin up as an input.
func input(pin gpio.PinIn, pull gpio.Pull) error {
	if pin == nil || pin == gpio.INVALID {
		return fmt.Errorf("%w: there is none", ErrPin)
	}
	if err := pin.In(pull, gpio.NoEdge); err != nil {
		return fmt.Errorf("%w: %s as input: %w", ErrPin, pin, err)
	}
	return nil
}

// output sets a pin.
func output(pin gpio.PinOut, l gpio.Level) error {
	if pin == nil || pin == gpio.INVALID {
		return fmt.Errorf("%w: there is none", ErrPin)
	}
	if err := pin.Out(l); err != nil {
		return fmt.Errorf("%w: %s to %s: %w", ErrPin, pin, l, err)
	}
	return nil
}

// Charger is the signal of the charging contacts. It is safe for concurrent use as far as its pin is.
type Charger struct{ pin gpio.PinIn }

// NewCharger sets the pin up as an input. The error matches [ErrPin].
func NewCharger(pin gpio.PinIn) (*Charger, error) {
	if err := input(pin, gpio.Float); err != nil {
		return nil, fmt.Errorf("charger: %w", err)
	}
	return &Charger{pin}, nil
}

// Connected reports whether a charger is connected, and whether that is known: false of a nil Charger. Its form is that
// of the option Charger of package battery.
func (c *Charger) Connected() (connected, known bool) {
	if c == nil {
		return false, false
	}
	return c.pin.Read() == gpio.High, true
}

// Power holds the board's power on. It belongs to one goroutine.
type Power struct{ pin gpio.PinIO }

// NewPower keeps the power on: the pin becomes an input with pull-up, which stays so when the program ends. The error
// matches [ErrPin].
func NewPower(pin gpio.PinIO) (*Power, error) {
	if err := input(pin, gpio.PullUp); err != nil {
		return nil, fmt.Errorf("power: %w", err)
	}
	return &Power{pin}, nil
}

// Release lets the board's power go when the Pi has shut down: pull-down first, so that the pin stays low when it falls
// back to an input, then low. Nobody calls it but who shuts the machine down, as the last thing before.
func (p *Power) Release() error {
	if err := input(p.pin, gpio.PullDown); err != nil {
		return fmt.Errorf("power: %w", err)
	}
	if err := output(p.pin, gpio.Low); err != nil {
		return fmt.Errorf("power: %w", err)
	}
	return nil
}

// pulse is how long a reset line is held low (York's epuck.py, GCtronic's ft903-program-dfu.sh).
const pulse = 100 * time.Millisecond

// Reset is a reset line, active low: that of the robot's main processor or of the FT903. It belongs to one goroutine.
type Reset struct {
	pin   gpio.PinOut
	until time.Time
	low   bool
}

// NewReset makes a reset line and leaves the pin as it is. The error matches [ErrPin].
func NewReset(pin gpio.PinOut) (*Reset, error) {
	if pin == nil || pin == gpio.INVALID {
		return nil, fmt.Errorf("reset: %w: there is none", ErrPin)
	}
	return &Reset{pin: pin}, nil
}

// Start pulls the line low; [Reset.Poll] lets it go 0.1 s later. Starting again while it is low makes the pulse longer.
func (r *Reset) Start(now time.Time) error {
	if err := output(r.pin, gpio.Low); err != nil {
		return fmt.Errorf("reset: %w", err)
	}
	r.low, r.until = true, now.Add(pulse)
	return nil
}

// Active reports whether the line is low.
func (r *Reset) Active() bool { return r.low }

// Poll ends the pulse. It reports whether that happened in this call; for the FT903, call [Dev.WasReset] then. After an
// error the line is still low, and the next call tries again.
func (r *Reset) Poll(now time.Time) (done bool, err error) {
	if !r.low || now.Before(r.until) {
		return false, nil
	}
	if err := r.Halt(); err != nil {
		return false, err
	}
	return true, nil
}

// Halt ends the pulse at once. A line that is not low is left alone.
func (r *Reset) Halt() error {
	if !r.low {
		return nil
	}
	if err := output(r.pin, gpio.High); err != nil {
		return fmt.Errorf("reset: %w", err)
	}
	r.low = false
	return nil
}
