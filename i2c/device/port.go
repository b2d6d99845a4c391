// SPDX-License-Identifier: Apache-2.0

package device

import (
	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c"
)

// port makes the transactions of one chip, counts them and says how many more this Poll may make.
type port struct {
	bus   pi2c.Bus
	addr  uint16
	left  int
	stats Stats
}

// tx makes one transaction; address 0 is the chip's. A failed one is the last of its Poll.
func (p *port) tx(addr uint16, w, r []byte) error {
	if addr == 0 {
		addr = p.addr
	}
	p.left--
	p.stats.Transactions++
	err := i2c.Tx(p.bus, addr, w, r)
	if err == nil {
		return nil
	}
	p.left = 0
	p.stats.BusErrors[i2c.KindOf(err)]++
	p.stats.LastErr = err
	return err
}
