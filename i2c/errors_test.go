// SPDX-License-Identifier: Apache-2.0

package i2c_test

import (
	"errors"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// lazyBus fills nothing in.
type lazyBus struct{ nullBus }

// The error of any bus matches ErrBus once and has the numbers; r is cleared.
func TestTx(t *testing.T) {
	bus := i2cfake.NewScript(
		i2cfake.Step{Addr: 0x60, Write: []byte{1}, Read: []byte{2, 3}},
		i2cfake.Step{Addr: 0x60, Write: []byte{1}, Err: syscall.ETIMEDOUT},
		i2cfake.Step{Addr: 0x60, Write: []byte{1}, Err: &i2c.BusError{Bus: "other", Addr: 0x60, Err: system.EREMOTEIO}},
	)
	r := make([]byte, 2)
	if err := i2c.Tx(bus, 0x60, []byte{1}, r); err != nil || r[0] != 2 || r[1] != 3 {
		t.Errorf("% x, %v", r, err)
	}
	var got *i2c.BusError
	err := i2c.Tx(bus, 0x60, []byte{1}, nil)
	if !errors.Is(err, i2c.ErrBus) || !errors.Is(err, syscall.ETIMEDOUT) || !errors.As(err, &got) || got.Addr != 0x60 || got.Write != 1 {
		t.Errorf("%v", err)
	}
	if err = i2c.Tx(bus, 0x60, []byte{1}, nil); !errors.As(err, &got) || got.Bus != "other" {
		t.Errorf("wrapped twice: %v", err)
	}
	if err = i2c.Tx(lazyBus{}, 0x60, []byte{1}, r); err != nil || r[0] != 0 || r[1] != 0 {
		t.Errorf("an old reading % x, %v", r, err)
	}
}
