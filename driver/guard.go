// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// pollBudget is the bus time after which a poll gets no more of it. A healthy part takes 4 ms at most. The transaction
// under way is not interrupted, so that the longest poll is this and the adapter's time-out (20 ms) together.
const pollBudget = 8 * time.Millisecond

// guard is the bus as one part sees it: it measures the bus time of a poll and refuses the part more than its budget, so
// that a part with many slow transactions can't hold up the control cycle with all of them.
type guard struct {
	bus   i2c.Bus
	now   func() time.Time
	spent time.Duration // in this poll
}

var _ i2c.Bus = (*guard)(nil)

// begin is called before each poll.
func (g *guard) begin() { g.spent = 0 }

// String names the bus behind it.
func (g *guard) String() string { return g.bus.String() }

// SetSpeed is handed on.
func (g *guard) SetSpeed(f physic.Frequency) error { return g.bus.SetSpeed(f) }

// Tx is handed on while the budget lasts. Afterwards the error matches [ErrSlow].
func (g *guard) Tx(addr uint16, w, r []byte) error {
	if g.spent >= pollBudget {
		return fmt.Errorf("%w: address %#02x had the bus for %v of this poll", ErrSlow, addr, g.spent)
	}
	began := g.now()
	err := g.bus.Tx(addr, w, r)
	g.spent += max(g.now().Sub(began), 0)
	return err
}
