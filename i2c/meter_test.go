// SPDX-License-Identifier: Apache-2.0

package i2c_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

func TestMeter(t *testing.T) {
	now := time.Unix(0, 0)
	took := []time.Duration{6 * time.Millisecond, 20 * time.Millisecond, -time.Second, 2 * time.Millisecond}
	script := i2cfake.NewScript(
		i2cfake.Step{Addr: 0x1F, Write: []byte{1, 2}, Read: []byte{3}},
		i2cfake.Step{Addr: 0x1F, Err: syscall.ETIMEDOUT},
		i2cfake.Step{Addr: 0x68, Write: []byte{4}},
		i2cfake.Step{Addr: 0x1F, Err: system.EREMOTEIO},
	)
	calls := 0
	m := i2c.NewMeter(script, func() time.Time {
		if calls++; calls%2 == 0 {
			now = now.Add(took[calls/2-1])
		}
		return now
	})
	_ = m.Tx(0x1F, []byte{1, 2}, make([]byte, 1))
	_ = m.Tx(0x1F, []byte{1, 2}, make([]byte, 1))
	_ = m.Tx(0x68, []byte{4}, nil)
	_ = m.Tx(0x1F, nil, make([]byte, 9))
	want := i2c.Stats{
		Transactions: 4, Written: 3, Read: 1,
		Busy: 28 * time.Millisecond, Longest: 20 * time.Millisecond, Last: 2 * time.Millisecond,
		LastErr: system.EREMOTEIO,
	}
	want.Errors[i2c.KindTimeout], want.Errors[i2c.KindNAK] = 1, 1
	got := m.Stats()
	if diff := cmp.Diff(want, got, cmpopts.EquateErrors()); diff != "" {
		t.Error(diff)
	}
	if got.Failed() != 2 || m.String() != "script" || m.SetSpeed(1) != nil {
		t.Errorf("failed %d, name %v", got.Failed(), m)
	}
	if err := script.Done(); err != nil {
		t.Error(err)
	}
}

func TestMeterAllocates(t *testing.T) {
	m := i2c.NewMeter(nullBus{}, nil)
	if n := testing.AllocsPerRun(100, func() { _ = m.Tx(1, nil, nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

type nullBus struct{ *i2cfake.Script }

func (nullBus) Tx(uint16, []byte, []byte) error { return nil }
