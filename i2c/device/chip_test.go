// SPDX-License-Identifier: Apache-2.0

package device

import (
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// TestBudget: a bring-up takes as many Polls as the budget asks for, and the chip runs in the Poll of its last step.
func TestBudget(t *testing.T) {
	for _, budget := range []int{4, 5, 8, 100} {
		b, p := &registers{}, &plan{lists: [][]Step{writes(10), writes(7)}}
		c := newChip(t, b, p, Opts{Budget: budget})
		for i := 1; ; i++ {
			before := b.count
			running, err := c.Poll(at(i))
			if err != nil || b.count-before > budget {
				t.Fatalf("budget %d: %d transactions, %v", budget, b.count-before, err)
			}
			if running {
				if want := (17 + budget - 1) / budget; i != want || c.State() != Running || len(p.errs) != 2 {
					t.Errorf("budget %d: %d polls, want %d; %v", budget, i, want, c.State())
				}
				break
			}
			if c.State() != Starting {
				t.Errorf("state %v", c.State())
			}
		}
		if s := c.Stats(); s.Transactions != 17 || s.Starts != 1 || b.mem[9] != 10 {
			t.Errorf("%+v", s)
		}
	}
}

// TestWaits: a step with Wait is not made before its time, however often Poll is called.
func TestWaits(t *testing.T) {
	b := &registers{}
	c := newChip(t, b, &plan{lists: [][]Step{{
		{Write: []byte{1, 1}}, {Write: []byte{2, 2}, Wait: 10 * time.Millisecond}, {Write: []byte{3, 3}},
	}}}, Opts{})
	for ms := range 10 {
		if running, err := c.Poll(at(ms)); running || err != nil || b.count != 1 {
			t.Fatalf("at %d ms: %v, %v, %d transactions", ms, running, err, b.count)
		}
	}
	if running, err := c.Poll(at(10)); !running || err != nil || b.count != 3 {
		t.Fatalf("%v, %v, %d transactions", running, err, b.count)
	}
}

// TestPrepareAndCheck: values found at run time are written back; a chip that is not ready is polled until the
// time-out.
func TestPrepareAndCheck(t *testing.T) {
	var v byte
	asked := 0
	list := []Step{
		{Write: []byte{5}, Read: 1, Check: func(r []byte) error { v = r[0]; return nil }},
		{Write: []byte{6, 0}, Prepare: func(w []byte) { w[1] = v | 0x80 }},
		{Write: []byte{7}, Read: 1, Timeout: 30 * time.Millisecond, Check: func(r []byte) error {
			asked++
			if r[0] == 0 {
				return ErrAgain
			}
			return nil
		}},
	}
	b := &registers{}
	b.mem[5] = 0x11
	c := newChip(t, b, &plan{lists: [][]Step{list}}, Opts{})
	for ms := 0; ms < 30; ms += 10 {
		if running, err := c.Poll(at(ms)); running || err != nil {
			t.Fatal(running, err)
		}
	}
	if b.mem[6] != 0x91 || asked != 3 {
		t.Errorf("register 6 is %#02x, asked %d times", b.mem[6], asked)
	}
	_, err := c.Poll(at(30))
	if !errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), "0x07") || errors.Is(err, ErrAgain) {
		t.Errorf("%v", err)
	}
	b.mem[7] = 1
	if running, err := c.Poll(at(1029)); running || err != nil || b.count != 6 {
		t.Errorf("before the interval is over: %v, %v, %d", running, err, b.count)
	}
	if running, err := c.Poll(at(1030)); !running || err != nil {
		t.Error(running, err)
	}
}

// TestFailures: one failing transaction per Poll, three in a row for a step, then a pause.
func TestFailures(t *testing.T) {
	b := &registers{fail: map[int]error{1: syscall.ETIMEDOUT, 2: system.EREMOTEIO}}
	c := newChip(t, b, &plan{lists: [][]Step{writes(3)}}, Opts{})
	for i, want := range []error{syscall.ETIMEDOUT, system.EREMOTEIO, nil} {
		running, err := c.Poll(at(i))
		if !errors.Is(err, want) || running != (want == nil) || want != nil && !errors.Is(err, i2c.ErrBus) {
			t.Errorf("poll %d: %v, %v", i, running, err)
		}
	}
	if s := c.Stats(); s.BusErrors[i2c.KindTimeout] != 1 || s.BusErrorTotal() != 2 || s.FailedStarts != 0 {
		t.Errorf("%+v", s)
	}

	b = &registers{broken: syscall.ETIMEDOUT}
	c = newChip(t, b, &plan{lists: [][]Step{writes(3)}}, Opts{})
	for ms := range 3000 {
		before := b.count
		_, err := c.Poll(at(ms))
		if b.count-before > 1 || (err != nil) != (b.count > before) {
			t.Fatalf("at %d ms: %d transactions, %v", ms, b.count-before, err)
		}
	}
	if b.count != 9 || c.State() != Absent || c.Stats().FailedStarts != 3 {
		t.Errorf("a dead chip costs %d transactions in 3 s; %v", b.count, c.State())
	}
}

// TestPlanContinuesAfterFailure: a plan may continue after a failure, such as one that tries another address.
func TestPlanContinuesAfterFailure(t *testing.T) {
	b := &registers{}
	c := newChip(t, b, &plan{continues: true, lists: [][]Step{
		{{Addr: 0x13, Write: []byte{0}, Read: 1, Tries: 1}}, {{Addr: 0x42, Write: []byte{0}, Read: 1}},
	}}, Opts{})
	if _, err := c.Poll(at(0)); err != nil || c.State() != Absent {
		t.Errorf("%v %v", err, c.State())
	}
	if running, err := c.Poll(at(1)); !running || err != nil {
		t.Error(running, err)
	}
}

func up(t *testing.T) (*registers, *Chip) {
	b := &registers{}
	c := newChip(t, b, &plan{lists: [][]Step{writes(1)}}, Opts{})
	if running, err := c.Poll(at(0)); !running || err != nil {
		t.Fatal(running, err)
	}
	return b, c
}

// TestLosses: three failures in a row lose a running chip; a success in between resets the count.
func TestLosses(t *testing.T) {
	b, c := up(t)
	one := []byte{0}
	b.broken = system.EREMOTEIO
	for range 2 {
		if err := c.Tx(at(1), 0, one, nil); err == nil || c.State() != Running {
			t.Fatal(err, c.State())
		}
	}
	b.broken = nil
	if err := c.Tx(at(1), 0, one, nil); err != nil {
		t.Fatal(err)
	}
	b.broken = system.EREMOTEIO
	for i := range 3 {
		if c.State() != Running {
			t.Fatalf("lost after %d failures", i)
		}
		_ = c.Tx(at(2), 0, one, nil)
	}
	if c.State() != Absent || c.Stats().Losses != 1 || c.left() != 0 {
		t.Errorf("%v %+v", c.State(), c.Stats())
	}
	b.broken = nil
	if running, err := c.Poll(at(3)); !running || err != nil {
		t.Errorf("back at once: %v, %v", running, err)
	}
}

// TestLost: after the first loss the chip is restarted at once, after the next ones not more often than the interval.
func TestLost(t *testing.T) {
	b, c := up(t)
	if err := c.Lost(at(5000), ErrReset); !errors.Is(err, ErrReset) || !errors.Is(c.Stats().LastErr, ErrReset) {
		t.Error(err)
	}
	if running, _ := c.Poll(at(5000)); !running {
		t.Error("not brought up at once")
	}
	before := b.count
	_ = c.Lost(at(5010), ErrFrozen)
	for ms := 5010; ms < 6000; ms += 10 {
		_, _ = c.Poll(at(ms))
	}
	if b.count != before {
		t.Error("brought up too soon")
	}
	if running, _ := c.Poll(at(6000)); !running {
		t.Error("not brought up")
	}
}

func TestHalt(t *testing.T) {
	b, c := up(t)
	b.log = nil
	b.fail = map[int]error{b.count: syscall.EIO}
	if err := c.Halt([]byte{1, 2}, []byte{3, 4}); !errors.Is(err, syscall.EIO) || !slices.Equal(b.log, []string{"03 04>0"}) {
		t.Errorf("%v, %q", err, b.log)
	}
	if c.State() != Halted {
		t.Error(c.State())
	}
	if err := c.Halt([]byte{1, 2}); err != nil || len(b.log) != 1 {
		t.Errorf("a second Halt: %v, %q", err, b.log)
	}
	if running, err := c.Poll(at(1)); !running || err != nil {
		t.Error("not brought up again", err)
	}
}
