// SPDX-License-Identifier: Apache-2.0

package device

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3"
)

// Resource is the public part of a chip: the devices embed it.
type Resource struct{ chip *Chip }

var _ conn.Resource = Resource{}

// String returns the chip's name with its bus and address, as far as they are known. It implements conn.Resource.
func (r Resource) String() string {
	switch p := &r.chip.port; {
	case p.bus == nil:
		return r.chip.name
	case p.addr == 0:
		return fmt.Sprintf("%s %s", r.chip.name, p.bus)
	default:
		return fmt.Sprintf("%s %s(%#02x)", r.chip.name, p.bus, p.addr)
	}
}

// Halt does nothing, unless the device has a Halt of its own. It implements conn.Resource.
func (r Resource) Halt() error { return nil }

// State returns how far the chip has been started, as of the last Poll.
func (r Resource) State() State { return r.chip.state }

// Present reports whether the chip runs, as of the last Poll.
func (r Resource) Present() bool { return r.chip.state == Running }

// Stats returns the counters since the device was made.
func (r Resource) Stats() Stats { return r.chip.port.stats }

// Next is the time at which a Poll will do something; a time in the past, or zero: at any call.
func (r Resource) Next() time.Time {
	switch {
	case r.chip.begun:
		return r.chip.seq.next()
	case r.chip.state == Running:
		return r.chip.rest
	case r.chip.state == Halted:
		return time.Time{}
	}
	return r.chip.retryAt
}

// Readable returns the error of a chip that is asked for its last measurement: [ErrHalted], [ErrNoReading], or nil if
// there is one.
func (c *Chip) Readable(have bool) error {
	switch {
	case c.state == Halted:
		return fmt.Errorf("%s: %w", c.name, ErrHalted)
	case !have:
		return fmt.Errorf("%s: %w: it is %v", c.name, ErrNoReading, c.state)
	}
	return nil
}
