// SPDX-License-Identifier: Apache-2.0

package vcamera

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// Faults are what may be wrong with the camera on its way to the Raspberry Pi. What is wrong with its sensor is the
// sensor's own (package vcamsensor, the bus).
type Faults struct {
	// Unplugged: it is not on the USB. A source that is open ends with [camera.ErrUnplugged] and does not come back.
	Unplugged bool
	// Stalled: it is there and sends nothing.
	Stalled bool
	// Damaged is the share of frames that arrive incomplete, 0 to 1: of these one half comes too short, the other as
	// [camera.ErrFrame]. The seed says which.
	Damaged float64
}

// Inject sets what is wrong from now on; the zero value mends everything. It fails, and changes nothing, if Damaged is
// not 0 to 1; the error names the value.
func (c *Camera) Inject(f Faults) error {
	if !(f.Damaged >= 0 && f.Damaged <= 1) {
		return fmt.Errorf("%w: Damaged %g, must be 0 to 1", errFaults, f.Damaged)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults = f
	if f.Unplugged && c.open != nil {
		c.open.end(camera.ErrUnplugged)
		c.open = nil
	}
	return nil
}

// Faults returns what is wrong.
func (c *Camera) Faults() Faults {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.faults
}
