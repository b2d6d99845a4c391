// SPDX-License-Identifier: Apache-2.0

package foxglove

import "time"

// maxDelay is how much later than others a command may arrive and still drive: what a network held up longer was meant
// for another moment. It is the time that a robot drives on without commands.
const maxDelay = 300 * time.Millisecond

// delay tells commands that were held up on their way: a cable that was out, a radio shadow. TCP keeps them and brings
// them all at once when the network is back, while the driver may be gone. Each carries the time of the page's clock;
// that clock and ours need not agree, so the least difference seen counts as none. The zero value is ready.
type delay struct {
	known bool
	least time.Duration
}

// of returns how late a command is that was sent at one clock's time and arrives at the other's. A command to stand
// begins anew: it is safe however late, and the clocks may have been apart meanwhile, as when a computer slept.
func (d *delay) of(sent, arrived time.Duration, stands bool) time.Duration {
	way := arrived - sent
	if stands || !d.known || way < d.least {
		d.known, d.least = true, way
	}
	return way - d.least
}
