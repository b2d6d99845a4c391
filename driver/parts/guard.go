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
	// PollBudget is the bus time after which a poll is slow; a healthy part takes 4 ms at most.
	PollBudget = 8 * time.Millisecond
	// hang is the adapter's time-out: the longest that one transaction takes.
	hang = 20 * time.Millisecond
	// PollTransactions is the most transactions of one poll, as an option of the parts that have one.
	PollTransactions = 4
)

// ErrSlow is matched when a part of the robot takes more of the bus's time than it may.
var ErrSlow = errors.New("driver: part is too slow")

// Guard is the bus as one part sees it: it measures the bus time of a poll and refuses a part that is known to be slow
// more than its budget, so that it can't hold up the control cycle with all of its transactions. The one under way is
// not interrupted: the longest poll of a slow part is the budget and a hang together.
//
// A single slow poll is not held against the part. More often than not it was the machine that was busy.
type Guard struct {
	bus    i2c.Bus
	now    func() time.Time
	spent  time.Duration // in this poll
	strict bool          // the part is known to be slow
}

var _ i2c.Bus = (*Guard)(nil)

// NewGuard makes the bus of one part.
func NewGuard(bus i2c.Bus, now func() time.Time) *Guard { return &Guard{bus: bus, now: now} }

// begin is called before each poll.
func (g *Guard) begin(strict bool) { g.spent, g.strict = 0, strict }

// String names the bus behind it.
func (g *Guard) String() string { return g.bus.String() }

// SetSpeed is handed on.
func (g *Guard) SetSpeed(f physic.Frequency) error { return g.bus.SetSpeed(f) }

// Tx is handed on while the budget lasts. Afterwards the error matches [ErrSlow].
func (g *Guard) Tx(addr uint16, w, r []byte) error {
	if g.strict && g.spent >= PollBudget {
		return fmt.Errorf("%w: address %#02x had the bus for %v of this poll: %w", ErrSlow, addr, g.spent, device.ErrPutOff)
	}
	began := g.now()
	err := g.bus.Tx(addr, w, r)
	g.spent += max(g.now().Sub(began), 0)
	return err
}
