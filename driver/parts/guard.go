// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

const (
	// PollBudget is the bus time from which a poll counts as slow; a working part takes at most 4 ms.
	PollBudget = 8 * time.Millisecond
	// hang is the adapter's timeout: the maximum duration of one transaction.
	hang = 20 * time.Millisecond
	// PollTransactions is the maximum number of transactions of one poll, for parts with such an option.
	PollTransactions = 4
)

// ErrSlow is matched when a part exceeds its bus time.
var ErrSlow = errors.New("driver: part is too slow")

// Guard is the bus of one part. It measures the bus time of a poll and rejects transactions beyond the budget if the
// part is known to be slow, so that it can't delay the control cycle by all of its transactions. The current one is not
// interrupted: the longest poll of a slow part is the budget plus hang.
//
// A single slow poll has no consequence: usually the machine was busy.
type Guard struct {
	bus    i2c.Bus
	now    func() time.Time
	spent  time.Duration // in this poll
	strict bool          // the part is known to be slow
}

var _ i2c.Bus = (*Guard)(nil)

// NewGuard returns the bus of one part.
func NewGuard(bus i2c.Bus, now func() time.Time) *Guard { return &Guard{bus: bus, now: now} }

// begin is called before each poll.
func (g *Guard) begin(strict bool) { g.spent, g.strict = 0, strict }

// String returns the name of the bus.
func (g *Guard) String() string { return g.bus.String() }

// SetSpeed is forwarded to the bus.
func (g *Guard) SetSpeed(f physic.Frequency) error { return g.bus.SetSpeed(f) }

// Tx is forwarded to the bus within the budget. Beyond it the error matches [ErrSlow].
func (g *Guard) Tx(addr uint16, w, r []byte) error {
	if g.strict && g.spent >= PollBudget {
		return fmt.Errorf("%w: address %#02x occupied the bus for %v in this poll: %w", ErrSlow, addr, g.spent, device.ErrPostponed)
	}
	began := g.now()
	err := g.bus.Tx(addr, w, r)
	g.spent += max(g.now().Sub(began), 0)
	return err
}
