// SPDX-License-Identifier: Apache-2.0

package vtof

// Faults are what may be wrong with a chip. Faults of the bus are those of
// package vbus.
type Faults struct {
	// Unplugged: the chip does not acknowledge its address.
	Unplugged bool
	// Frozen: it answers, and no measurement or calibration ends any more.
	Frozen bool
	// ID is what the model register reads instead of 0xEE; 0 leaves it.
	ID byte
	// Status is the verdict of every measurement; 0 leaves it.
	Status byte
}

// Inject sets what is wrong from now on; the zero value mends everything.
func (c *Chip) Inject(f Faults) { c.faults = f }

// Faults returns what is wrong.
func (c *Chip) Faults() Faults { return c.faults }

// Measuring reports whether the chip ranges continuously.
func (c *Chip) Measuring() bool { return c.rng.mode > 1 }
