// SPDX-License-Identifier: Apache-2.0

package i2c_test

import (
	"errors"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

// lazyBus fills nothing in.
type lazyBus struct{ nullBus }

// Every error of a bus, whatever bus it came from, matches ErrBus once and tells the numbers; a reading before it is
// gone.
func TestTx(t *testing.T) {
	bus := i2cfake.NewScript(
		i2cfake.Step{Addr: 0x60, Write: []byte{1}, Read: []byte{2, 3}},
		i2cfake.Step{Addr: 0x60, Write: []byte{1}, Err: syscall.ETIMEDOUT},
		i2cfake.Step{Addr: 0x60, Write: []byte{1}, Err: &i2c.BusError{Bus: "other", Addr: 0x60, Err: syscall.EREMOTEIO}},
	)
	r := make([]byte, 2)
	if err := i2c.Tx(bus, 0x60, []byte{1}, r); err != nil || r[0] != 2 || r[1] != 3 {
		t.Errorf("% x, %v", r, err)
	}
	var told *i2c.BusError
	err := i2c.Tx(bus, 0x60, []byte{1}, nil)
	if !errors.Is(err, i2c.ErrBus) || !errors.Is(err, syscall.ETIMEDOUT) || !errors.As(err, &told) || told.Addr != 0x60 || told.Write != 1 {
		t.Errorf("%v", err)
	}
	if err = i2c.Tx(bus, 0x60, []byte{1}, nil); !errors.As(err, &told) || told.Bus != "other" {
		t.Errorf("wrapped twice: %v", err)
	}
	if err = i2c.Tx(lazyBus{}, 0x60, []byte{1}, r); err != nil || r[0] != 0 || r[1] != 0 {
		t.Errorf("an old reading % x, %v", r, err)
	}
}
