// SPDX-License-Identifier: Apache-2.0

package i2c_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

func TestMeter(t *testing.T) {
	now := time.Unix(0, 0)
	took := []time.Duration{6 * time.Millisecond, 20 * time.Millisecond, -time.Second, 2 * time.Millisecond}
	script := i2cfake.NewScript(
		i2cfake.Step{Addr: 0x1F, Write: []byte{1, 2}, Read: []byte{3}},
		i2cfake.Step{Addr: 0x1F, Err: syscall.ETIMEDOUT},
		i2cfake.Step{Addr: 0x68, Write: []byte{4}},
		i2cfake.Step{Addr: 0x1F, Err: syscall.EREMOTEIO},
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
		LastErr: syscall.EREMOTEIO,
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

func TestRetry(t *testing.T) {
	w, r := []byte{1}, []byte{2}
	fail := func(errs ...error) (steps []i2cfake.Step) {
		for _, err := range errs {
			steps = append(steps, i2cfake.Step{Addr: 0x60, Write: w, Read: r, Err: err})
		}
		return steps
	}
	for _, c := range []struct {
		name    string
		tries   int
		steps   []i2cfake.Step
		is      error
		retries uint64
	}{
		{"at once", 3, fail(nil), nil, 0},
		{"second", 3, fail(syscall.ETIMEDOUT, nil), nil, 1},
		{"third", 0, fail(syscall.ETIMEDOUT, syscall.EREMOTEIO, nil), nil, 2},
		{"never", 3, fail(syscall.EIO, syscall.EIO, syscall.EREMOTEIO), syscall.EREMOTEIO, 2},
		{"one try", 1, fail(syscall.EIO), syscall.EIO, 0},
		{"gone", 3, fail(syscall.ENODEV), syscall.ENODEV, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			script := i2cfake.NewScript(c.steps...)
			b := i2c.NewRetry(script, c.tries)
			got := make([]byte, 1)
			if err := b.Tx(0x60, w, got); !errors.Is(err, c.is) || c.is == nil && (err != nil || got[0] != 2) {
				t.Errorf("got % x, %v", got, err)
			}
			if b.Retries() != c.retries {
				t.Errorf("%d retries, want %d", b.Retries(), c.retries)
			}
			if err := script.Done(); err != nil {
				t.Error(err)
			}
			if !strings.Contains(b.String(), "script") || b.SetSpeed(1) != nil {
				t.Error(b)
			}
		})
	}
}
