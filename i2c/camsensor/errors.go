// SPDX-License-Identifier: Apache-2.0

package camsensor

import "errors"

// Sentinel errors. Test for them with errors.Is. A transaction that failed on the bus matches i2c.ErrBus.
var (
	// errAbsent is matched by Result.Err while there is no sensor.
	errAbsent = errors.New("camsensor: no camera sensor")
	// errIdentity is matched when a device with an unknown ID answers at a sensor's address.
	errIdentity = errors.New("camsensor: unknown device at the address of a camera sensor")
	// errNoSequence is matched by Result.Err when the sensor is known, but not its configuration on an e-puck2.
	errNoSequence = errors.New("camsensor: no sequence for this sensor")
	// errRegister is matched when a register could not be written or read in all attempts; the error wraps the last
	// one.
	errRegister = errors.New("camsensor: register not accessible")
	// errSettings is matched when a setting is out of range; nothing was changed.
	errSettings = errors.New("camsensor: invalid setting")
)
