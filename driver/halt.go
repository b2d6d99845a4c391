// SPDX-License-Identifier: Apache-2.0

package driver

import "fmt"

// halt stops the wheels and shows that they stand, or tries to for the time configured. A robot that was never told to
// move is told to stand, but if it does not answer that is no failure.
func (d *Driver) halt() error {
	d.motion.hold(holdEnd)
	end := d.clock.Now().Add(d.stop)
	for {
		err := d.haltOnce()
		if err == nil || !d.bus.moved {
			return nil
		}
		if !d.clock.Now().Before(end) {
			d.log.Error("the wheels may still turn: switch the robot off", "error", err)
			return fmt.Errorf("%w: %w", ErrNotStopped, err)
		}
		<-d.clock.NewTimer(minCommandGap).C()
	}
}

// haltOnce makes one attempt; a bus that panics fails it like one that returns an error.
func (d *Driver) haltOnce() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrPanic, p)
		}
	}()
	return d.dev.Halt()
}
