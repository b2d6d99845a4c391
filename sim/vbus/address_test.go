// SPDX-License-Identifier: Apache-2.0

package vbus_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// One chip fails, its neighbour does not.
func TestFaultsOfOneChip(t *testing.T) {
	b, _, _ := newBus(t, 0)
	_ = b.Attach(0x10, &memory{})
	f := b.FaultsAt(0x10)
	if f != b.FaultsAt(0x10) || f == b.FaultsAt(0x11) || f == b.Faults() {
		t.Error("each address must have its own plan, always the same")
	}
	_ = f.Hold(vbus.Fault{Kind: vbus.NAK})
	if got := outcomes(b, 3); got != "..." {
		t.Errorf("the neighbour: %s", got)
	}
	for range 2 {
		if got := errnoName(b.Tx(0x10, []byte{1}, nil)); got != "EREMOTEIO" {
			t.Errorf("the chip: %s", got)
		}
	}
	if f.Transfers() != 2 || f.Injected(vbus.NAK) != 2 || b.Faults().Transfers() != 5 {
		t.Errorf("%d transfers of the chip, %d failed; %d of the bus", f.Transfers(), f.Injected(vbus.NAK), b.Faults().Transfers())
	}
}

// The plan of the bus goes first; what it makes fail is no transfer of the chip's plan.
func TestBusPlanGoesBeforeTheChips(t *testing.T) {
	b, _, _ := newBus(t, 0)
	_ = b.Faults().Next(vbus.Fault{Kind: vbus.Timeout})
	_ = b.FaultsAt(addr).Next(vbus.Fault{Kind: vbus.NAK})
	if got := outcomes(b, 3); got != "tr." {
		t.Errorf("both planned: %s", got)
	}
	if n := b.FaultsAt(addr).Transfers(); n != 2 {
		t.Errorf("%d transfers of the chip, want 2", n)
	}
}

// Random faults of chips repeat with the seed and differ between chips.
func TestRandomFaultsOfChips(t *testing.T) {
	run := func(seed uint64, at uint16) string {
		b, m, _ := newBus(t, seed)
		_ = b.Attach(addr, nil)
		_ = b.Attach(at, m)
		_ = b.FaultsAt(at).SetRates(vbus.Rates{NAK: 0.5})
		var s []byte
		for range 200 {
			s = append(s, errnoName(b.Tx(at, []byte{1}, nil))[0])
		}
		return string(s)
	}
	if a, b := run(1, 0x10), run(1, 0x10); a != b {
		t.Error("the same seed gives other faults")
	}
	if run(1, 0x10) == run(1, 0x11) || run(1, 0x10) == run(2, 0x10) {
		t.Error("other chips or seeds give the same faults")
	}
}

// A plan for a chip costs no allocation.
func TestChipPlansDoNotAllocate(t *testing.T) {
	b, _, _ := newBus(t, 0)
	_ = b.FaultsAt(addr).SetRates(vbus.Rates{CorruptRead: 0.5})
	w, r := []byte{1}, make([]byte, 2)
	_ = b.Tx(addr, w, r)
	if n := testing.AllocsPerRun(100, func() { _ = b.Tx(addr, w, r) }); n != 0 {
		t.Errorf("%v allocations per transfer", n)
	}
}
