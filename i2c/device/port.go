// SPDX-License-Identifier: Apache-2.0

package device

import (
	"errors"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c"
)

// port makes the transactions of one chip, counts them and limits their number in this Poll.
type port struct {
	bus     pi2c.Bus
	addr    uint16
	left    int
	pointed bool // half of a step with Split is done: its write
	stats   Stats
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
	if errors.Is(err, ErrPostponed) {
		return err
	}
	p.stats.BusErrors[i2c.KindOf(err)]++
	p.stats.LastErr = err
	return err
}

// step executes a transaction of a step, or its function, and reports whether the step is complete.
func (p *port) step(st *Step, r []byte) (done bool, err error) {
	if st.Prepare != nil {
		st.Prepare(st.Write)
	}
	switch {
	case st.Do != nil:
		p.left--
		if err = st.Do(); err != nil {
			p.left, p.stats.LastErr = 0, err
		}
	case !st.Split:
		err = p.tx(st.Addr, st.Write, r)
	case !p.pointed:
		err = p.tx(st.Addr, st.Write, nil)
		p.pointed = err == nil
		return false, err
	default:
		p.pointed = false
		err = p.tx(st.Addr, nil, r)
	}
	return err == nil, err
}
