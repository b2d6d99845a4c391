// SPDX-License-Identifier: Apache-2.0

package foxglove

import "time"

// maxDelay is how much later than others a command may arrive and still be executed; it is the time that a robot
// keeps driving without commands.
const maxDelay = 300 * time.Millisecond

// delay detects commands that were delayed on their way, by an unplugged cable or a lost radio link. TCP keeps them
// and delivers all at once when the network is back, while the operator may have left. Each has the time of the page's
// clock; that clock and ours need not agree, so the smallest difference seen counts as no delay. The zero value is
// ready.
type delay struct {
	known bool
	least time.Duration
}

// of returns how late a command is that was sent at one clock's time and arrives at the other's. A stop command
// resets the reference: it is safe however late, and the clocks may have diverged meanwhile, as when a computer
// slept.
func (d *delay) of(sent, arrived time.Duration, stop bool) time.Duration {
	took := arrived - sent
	if stop || !d.known || took < d.least {
		d.known, d.least = true, took
	}
	return took - d.least
}
