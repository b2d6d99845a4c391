// SPDX-License-Identifier: Apache-2.0

package device

import (
	"errors"
	"strings"
	"testing"
)

func TestOptions(t *testing.T) {
	for word, o := range map[string]Opts{
		"Budget": {Budget: 3}, "Budget 1001": {Budget: 1001}, "RetryInterval": {RetryInterval: -1}, "LostInterval": {LostInterval: -1}, "Tries": {Tries: -1},
	} {
		if _, err := NewChip("chip", &registers{}, 1, &plan{}, o); !errors.Is(err, ErrOption) || !strings.Contains(err.Error(), word) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := NewChip("chip", nil, 1, &plan{}, Opts{}); !errors.Is(err, ErrOption) {
		t.Error(err)
	}
	if _, err := NewChip("chip", &registers{}, 0x80, &plan{}, Opts{}); !errors.Is(err, ErrOption) {
		t.Error(err)
	}
	c := newChip(t, &registers{}, &plan{}, Opts{})
	c.SetAddr(0x11)
	if c.Addr() != 0x11 || c.Shown().String() != "chip registers(0x11)" || c.State() != Absent {
		t.Error(c.Addr(), c.Shown(), c.State())
	}
	c.Accept()
	c.Reject(ErrFrozen)
	c.Reject(nil)
	if s := c.Stats(); s.Readings != 1 || s.Rejected != 2 || !errors.Is(s.LastErr, ErrFrozen) {
		t.Errorf("%+v", s)
	}
}

func TestStateNames(t *testing.T) {
	for s, want := range map[State]string{Absent: "absent", Starting: "starting", Running: "running", Halted: "halted", 9: "state 9"} {
		if s.String() != want {
			t.Errorf("%q, want %q", s, want)
		}
	}
}

// TestSteadyStateDoesNotAllocate: neither a transaction nor the bring-up.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	b, c := up(t)
	_ = b
	bus := &silent{}
	c.port.bus = bus
	w, r := []byte{0}, make([]byte, 4)
	if n := testing.AllocsPerRun(100, func() {
		if running, err := c.Poll(at(1)); !running || err != nil || c.Tx(at(1), 0, w, r) != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// silent is a bus that records nothing.
type silent struct{ registers }

func (*silent) Tx(uint16, []byte, []byte) error { return nil }
