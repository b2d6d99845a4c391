// SPDX-License-Identifier: Apache-2.0

package pipuck

import "errors"

// Sentinel errors. Test for them with errors.Is. A transaction that failed on the bus matches i2c.ErrBus.
var (
	// ErrAbsent is returned while no FT903 answers and it is not yet time to look for it again; nothing was sent.
	ErrAbsent = errors.New("pipuck: no FT903 on the board's bus")
	// ErrLED is matched when an LED is named that does not exist.
	ErrLED = errors.New("pipuck: no such LED")
	// ErrPin is matched when a pin could not be set up or set; the error wraps the pin's own.
	ErrPin = errors.New("pipuck: pin cannot be used")
	// ErrOpts is matched when an option is out of its range.
	ErrOpts = errors.New("pipuck: bad option")
)
