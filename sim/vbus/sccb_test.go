// SPDX-License-Identifier: Apache-2.0

package vbus_test

import (
	"errors"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// sccb is a memory that wants a stop between write and read.
type sccb struct {
	memory
	starts int
	agrees bool
}

func (s *sccb) RepeatedStart() bool { s.starts++; return s.agrees }

func TestRepeatedStart(t *testing.T) {
	b, _, w := newBus(t, 1)
	chip := &sccb{}
	if err := b.Attach(addr, chip); err != nil {
		t.Fatal(err)
	}
	r := []byte{1, 1}
	if err := b.Tx(addr, []byte{7}, nil); err != nil || chip.starts != 0 {
		t.Error("a write alone:", err, chip.starts)
	}
	if err := b.Tx(addr, nil, r); err != nil || chip.starts != 0 || r[0] != 7 {
		t.Error("a read alone:", err, chip.starts, r)
	}
	slept := w.slept
	if err := b.Tx(addr, []byte{8}, r); !errors.Is(err, system.EREMOTEIO) || chip.starts != 1 || r[0] != 7 {
		t.Error("both in one:", err, chip.starts, r)
	}
	if got := w.slept - slept; got != 270*time.Microsecond {
		t.Errorf("an address, a byte and a refused address took %v", got)
	}
	chip.agrees = true
	if err := b.Tx(addr, []byte{9}, r); err != nil || r[0] != 9 {
		t.Error("agreed:", err, r)
	}
	var _ vbus.StopSensitive = chip
}
