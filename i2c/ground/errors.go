// SPDX-License-Identifier: Apache-2.0

package ground

import "errors"

// Sentinel errors. Test for them with errors.Is. A transaction that failed on the bus matches i2c.ErrBus.
var (
	// errImplausible is matched by values that the board can't have measured.
	errImplausible = errors.New("ground: implausible reading")
	// errLength is matched when [Decode] gets another number of bytes than 12 or 21.
	errLength = errors.New("ground: wrong length")
)
