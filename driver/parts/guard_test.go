// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"errors"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"
)

const slowTransfer = 2 * time.Millisecond

// slowBus takes its time.
type slowBus struct{ clock *handClock }

func (slowBus) String() string                  { return "slow" }
func (slowBus) SetSpeed(physic.Frequency) error { return nil }
func (b slowBus) Tx(uint16, []byte, []byte) error {
	b.clock.pass(slowTransfer)
	return nil
}

func TestGuardEndsAPollThatTakesTooLong(t *testing.T) {
	clock := &handClock{now: epoch}
	g := &Guard{bus: slowBus{clock: clock}, now: clock.Now}
	g.begin(false)
	for range 10 {
		if err := g.Tx(0x29, nil, nil); err != nil {
			t.Errorf("a part that is not known to be slow: %v", err)
		}
	}
	for poll := range 2 {
		g.begin(true)
		n := 0
		var err error
		for ; err == nil; n++ {
			err = g.Tx(0x29, nil, nil)
		}
		if want := int(PollBudget/slowTransfer) + 1; n != want || !errors.Is(err, ErrSlow) {
			t.Errorf("poll %d: %d transactions, then %v", poll, n, err)
		}
	}
	if g.String() != "slow" || g.SetSpeed(1) != nil {
		t.Error("the bus behind is hidden")
	}
}
