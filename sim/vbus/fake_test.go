// SPDX-License-Identifier: Apache-2.0

package vbus_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// memory is a chip that keeps what was written last and sends it back.
type memory struct {
	asleep    bool
	limit     int // bytes acknowledged; 0: all
	got       []byte
	messages  int
	disturbed int
	restarts  int
}

func (m *memory) Ready() bool { return !m.asleep }

func (m *memory) Receive(w []byte) int {
	m.got = append(m.got[:0], w...)
	m.messages++
	if m.limit > 0 {
		return min(m.limit, len(w))
	}
	return len(w)
}

func (m *memory) Transmit(r []byte) {
	clear(r)
	copy(r, m.got)
}

func (m *memory) Disturbed() { m.disturbed++ }

func (m *memory) Restart() { m.restarts++ }

// hasty is a memory that waits 100 ms for a message.
type hasty struct{ memory }

func (h *hasty) MessageTimeout() time.Duration { return 100 * time.Millisecond }

// stopwatch adds up what the bus sleeps.
type stopwatch struct{ slept time.Duration }

func (s *stopwatch) Sleep(d time.Duration) { s.slept += d }

const addr = 0x42

// newBus returns a bus with a memory on it and a stopwatch.
func newBus(t testing.TB, seed uint64) (*vbus.Bus, *memory, *stopwatch) {
	t.Helper()
	w := &stopwatch{}
	b := vbus.New(vbus.Config{Name: "test", Sleep: w.Sleep, Seed: seed})
	m := &memory{}
	if err := b.Attach(addr, m); err != nil {
		t.Fatal(err)
	}
	return b, m, w
}

// errnoName names the errno in err, for tables.
func errnoName(err error) string {
	var no syscall.Errno
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &no):
		return map[syscall.Errno]string{
			system.EREMOTEIO: "EREMOTEIO", syscall.ETIMEDOUT: "ETIMEDOUT", syscall.EINVAL: "EINVAL",
		}[no]
	}
	return fmt.Sprint(err)
}
