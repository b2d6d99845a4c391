// SPDX-License-Identifier: Apache-2.0

package ground

import "errors"

// Sentinel errors. Test for them with errors.Is. A transaction that failed on the bus matches i2c.ErrBus.
var (
	// ErrAbsent is returned while no board answers and it is not yet time to look for one again; nothing was sent.
	ErrAbsent = errors.New("ground: no ground sensor board")
	// ErrImplausible is matched when the bytes are none that the board can have measured.
	ErrImplausible = errors.New("ground: implausible reading")
	// ErrLength is matched when [Decode] is given another number of bytes than 12 or 21.
	ErrLength = errors.New("ground: wrong length")
	// ErrOpts is matched when an option is out of its range.
	ErrOpts = errors.New("ground: bad option")
)
