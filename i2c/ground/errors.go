// SPDX-License-Identifier: Apache-2.0

package ground

import "errors"

// Sentinel errors. Test for them with errors.Is. A transaction that failed on the bus matches i2c.ErrBus.
var (
	// ErrImplausible is matched when the bytes are none that the board can have measured.
	ErrImplausible = errors.New("ground: implausible reading")
	// ErrLength is matched when [Decode] is given another number of bytes than 12 or 21.
	ErrLength = errors.New("ground: wrong length")
)
