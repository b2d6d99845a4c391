// SPDX-License-Identifier: Apache-2.0

package camsensor

import "errors"

// Sentinel errors. Test for them with errors.Is. A transaction that failed on the bus matches i2c.ErrBus.
var (
	// errAbsent is matched by Result.Err while there is no sensor.
	errAbsent = errors.New("camsensor: no camera sensor")
	// errIdentity is matched when a device answers at a sensor's address with the number of none we know.
	errIdentity = errors.New("camsensor: unknown device at the address of a camera sensor")
	// errNoSequence is matched by Result.Err when the sensor is known and how to set it up on an e-puck2 is not.
	errNoSequence = errors.New("camsensor: no sequence for this sensor")
	// errRegister is matched when a register could not be written or read in all its tries; the error wraps the last
	// one.
	errRegister = errors.New("camsensor: register given up")
	// errSettings is matched when a setting is out of its range; nothing was changed.
	errSettings = errors.New("camsensor: bad setting")
)
