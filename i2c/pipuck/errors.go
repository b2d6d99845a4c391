// SPDX-License-Identifier: Apache-2.0

package pipuck

import "errors"

// Sentinel errors. Test for them with errors.Is. A transaction that failed on the bus matches i2c.ErrBus.
var (
	// errLED is matched by the number of an LED that does not exist.
	errLED = errors.New("pipuck: no such LED")
	// errPin is matched when a pin could not be configured or set; the error wraps the pin's error.
	errPin = errors.New("pipuck: pin cannot be used")
)
