// SPDX-License-Identifier: Apache-2.0

package pipuck

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3/gpio"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// ButtonEvent is a change of the button.
type ButtonEvent uint8

// The events.
const (
	// ButtonNone: nothing.
	ButtonNone ButtonEvent = iota
	// ButtonPressed: the button went down.
	ButtonPressed
	// ButtonHeld: it has been down for ButtonOpts.Hold, the request to shut down.
	ButtonHeld
	// ButtonReleased: it went up.
	ButtonReleased
)

var buttonNames = [...]string{"none", "pressed", "held", "released"}

// String returns the event in one word.
func (e ButtonEvent) String() string {
	if int(e) < len(buttonNames) {
		return buttonNames[e]
	}
	return fmt.Sprintf("event %d", uint8(e))
}

// ButtonOpts are the options of a [Button]. The zero value of each field means its default.
type ButtonOpts struct {
	// Debounce is how long a level must last to count. It defaults to 30 ms.
	Debounce time.Duration
	// Hold is how long a press must last to request the shutdown. It defaults to 2 s, as in GCtronic's
	// power-handling.c.
	Hold time.Duration
}

// Button is the board's button "aux on". It belongs to one goroutine.
type Button struct {
	pin      gpio.PinIn
	opts     ButtonOpts
	down     bool // debounced
	raw      bool
	since    time.Time // of raw
	pressed  time.Time
	reported bool // ButtonHeld was returned, or must not be
	started  bool
}

// NewButton sets the pin up as an input with pull-up. The error matches device.ErrOption; it also fails
// without a pin, and if it can't be an input: the error wraps the pin's.
func NewButton(pin gpio.PinIn, opts *ButtonOpts) (*Button, error) {
	var o ButtonOpts
	if opts != nil {
		o = *opts
	}
	if o.Debounce < 0 || o.Hold < 0 {
		return nil, fmt.Errorf("pipuck: %w: Debounce is %v, Hold %v", device.ErrOption, o.Debounce, o.Hold)
	}
	if o.Debounce == 0 {
		o.Debounce = 30 * time.Millisecond
	}
	if o.Hold == 0 {
		o.Hold = 2 * time.Second
	}
	if err := input(pin, gpio.PullUp); err != nil {
		return nil, fmt.Errorf("button: %w", err)
	}
	return &Button{pin: pin, opts: o}, nil
}

// Pressed reports whether the button is down, debounced.
func (b *Button) Pressed() bool { return b.down }

// Poll reads the pin and returns at most one event; call it every 10 to 50 ms. A button that is already down at the
// first call, because it switched the board on, causes no event until it is released.
func (b *Button) Poll(now time.Time) ButtonEvent {
	raw := b.pin.Read() == gpio.Low
	if !b.started {
		b.started, b.raw, b.down, b.reported, b.since, b.pressed = true, raw, raw, raw, now, now
		return ButtonNone
	}
	if raw != b.raw {
		b.raw, b.since = raw, now
	}
	if b.raw != b.down && now.Sub(b.since) >= b.opts.Debounce {
		b.down = b.raw
		if !b.down {
			b.reported = false
			return ButtonReleased
		}
		b.pressed = b.since
		return ButtonPressed
	}
	if b.down && b.raw && !b.reported && now.Sub(b.pressed) >= b.opts.Hold {
		b.reported = true
		return ButtonHeld
	}
	return ButtonNone
}
