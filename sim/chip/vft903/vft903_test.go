// SPDX-License-Identifier: Apache-2.0

package vft903_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vft903"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

var (
	_ vbus.Chip      = (*vft903.Chip)(nil)
	_ vbus.Restarter = (*vft903.Chip)(nil)
)

// rig is a chip on a bus with a clock.
type rig struct {
	now  time.Duration
	chip *vft903.Chip
	bus  *vbus.Bus
}

func newRig(t testing.TB, boot time.Duration) *rig {
	t.Helper()
	r := &rig{}
	r.chip = vft903.New(vft903.Config{Now: func() time.Duration { return r.now }, BootTime: boot})
	r.bus = vbus.New(vbus.Config{})
	if err := r.bus.Attach(vft903.Address, r.chip); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) write(b ...byte) bool { return r.bus.Tx(vft903.Address, b, nil) == nil }

// main.c, 233 and 242: a write fills registers in sequence, and a read steps through them.
func TestLEDs(t *testing.T) {
	r := newRig(t, 0)
	for _, w := range [][]byte{{0, 1}, {1, 2}, {2, 0xFC}, {3, 7}, {0x80, 7}, {1}, {2, 4, 1, 1}} {
		if !r.write(w...) {
			t.Errorf("% x is not acknowledged", w)
		}
	}
	if r.chip.LED(0) != 1 || r.chip.LED(1) != 2 || r.chip.LED(2) != 4 || r.chip.LED(3) != 0 || r.chip.LED(-1) != 0 {
		t.Error(r.chip.LED(0), r.chip.LED(1), r.chip.LED(2))
	}
	p := make([]byte, 2)
	// reads step through the registers
	if err := r.bus.Tx(vft903.Address, []byte{1}, p); err != nil || p[0] != 2 || p[1] != 4 {
		t.Error(err, p)
	}
	if err := r.bus.Tx(vft903.Address, []byte{9}, p); err != nil || p[0] != 0 {
		t.Error(err, p)
	}
	r.chip.Disturbed()
}

// TestTrap: 0xFF anywhere in a write springs it, for three seconds.
func TestTrap(t *testing.T) {
	for _, c := range []struct {
		at    time.Duration
		write []byte
		dfu   bool
	}{
		{0, []byte{0xFF}, true}, {2999 * time.Millisecond, []byte{0, 0xFF}, true}, {0, []byte{0, 7, 0xFF}, true},
		{3 * time.Second, []byte{0, 0xFF}, false}, {0, []byte{0, 0xFE}, false}, {time.Hour, []byte{0xFF, 0xFF}, false},
	} {
		r := newRig(t, 0)
		r.chip.Restart()
		r.now = c.at
		r.write(c.write...)
		if r.chip.DFU() != c.dfu || r.write(0, 1) == c.dfu {
			t.Errorf("% x at %v: update mode %v", c.write, c.at, r.chip.DFU())
		}
		r.chip.Reset(true)
		r.chip.Reset(false)
		if r.chip.DFU() || !r.write(0, 1) {
			t.Error("a reset does not end the update mode")
		}
	}
}

// main.c, 273: for three seconds after a reset what is written goes where only the update mode looks for it.
func TestReset(t *testing.T) {
	r := newRig(t, 200*time.Millisecond)
	r.now = time.Minute
	r.write(0, 7)
	r.chip.Reset(true)
	if r.write(0, 7) || r.chip.LED(0) != 0 {
		t.Error("answers while it is held in reset")
	}
	r.now += 100 * time.Millisecond
	r.chip.Reset(false)
	if r.write(0, 7) {
		t.Error("answers at once")
	}
	r.now += 200 * time.Millisecond
	if !r.write(0, 7) || r.chip.LED(0) != 0 {
		t.Error("does not start, or takes a write in its first three seconds")
	}
	r.now += 3 * time.Second
	if !r.write(0, 7) || r.chip.LED(0) != 7 {
		t.Error("does not take a write after three seconds")
	}
	r.chip.Reset(false) // no edge: nothing happens
	if r.chip.LED(0) != 7 {
		t.Error("was reset without an edge")
	}
}

// TestOnlyFFIsATrap: any other bytes leave it alone at any time.
func TestOnlyFFIsATrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Duration(rapid.Int64Range(0, int64(5*time.Second)).Draw(t, "now"))
		passed := time.Duration(0)
		c := vft903.New(vft903.Config{Now: func() time.Duration { return passed }})
		c.Restart()
		passed = now
		w := rapid.SliceOfN(rapid.ByteMax(0xFE), 0, 6).Draw(t, "w")
		if n := c.Receive(w); n != len(w) || c.DFU() {
			t.Fatalf("% x: %d acknowledged, update mode %v", w, n, c.DFU())
		}
	})
}

func ExampleChip() {
	c := vft903.New(vft903.Config{})
	c.Receive([]byte{2, 0b011})
	fmt.Printf("%03b\n", c.LED(2))
	c.Restart()
	c.Receive([]byte{2, 0xFF}) // too early
	fmt.Println(c.DFU(), c.Ready())
	// Output:
	// 011
	// true false
}
