// SPDX-License-Identifier: Apache-2.0

package device

import (
	"errors"

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
	clear(r) // a bus that fills in nothing must not give the last reading again
	err := p.bus.Tx(addr, w, r)
	if err == nil {
		return nil
	}
	p.left = 0
	if !errors.Is(err, i2c.ErrBus) {
		err = &i2c.BusError{Bus: p.bus.String(), Addr: addr, Write: len(w), Read: len(r), Err: err}
	}
	p.stats.BusErrors[i2c.KindOf(err)]++
	p.stats.LastErr = err
	return err
}
