// SPDX-License-Identifier: Apache-2.0

package i2cfake

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// echo answers 0xA5 to everything and records what it received.
type echo struct {
	heard [][]byte
	err   error
}

func (e *echo) String() string                  { return "echo" }
func (e *echo) SetSpeed(physic.Frequency) error { return nil }
func (e *echo) Tx(_ uint16, w, r []byte) error {
	e.heard = append(e.heard, bytes.Clone(w))
	for i := range r {
		r[i] = 0xA5
	}
	return e.err
}

// turned counts the bits in which two texts of equal length differ.
func turned(a, b []byte) (n int) {
	for i := range a {
		n += bits.OnesCount8(a[i] ^ b[i])
	}
	return n
}

func TestFaults(t *testing.T) {
	w := []byte{1, 2, 3, 4}
	good := bytes.Repeat([]byte{0xA5}, 6)
	for seed := range uint64(50) {
		for _, c := range []struct {
			fault Fault
			err   error
			heard bool
			slept time.Duration
			check func(heard, r []byte) bool
		}{
			{None, nil, true, 0, func(h, r []byte) bool { return bytes.Equal(h, w) && bytes.Equal(r, good) }},
			{NAK, system.EREMOTEIO, false, 0, nil},
			{Timeout, syscall.ETIMEDOUT, false, 20 * time.Millisecond, nil},
			{Gone, syscall.ENODEV, false, 0, nil},
			{ReadError, syscall.EIO, true, 0, func(h, r []byte) bool { return bytes.Equal(h, w) && turned(r, make([]byte, 6)) == 0 }},
			{CorruptWrite, nil, true, 0, func(h, r []byte) bool { return turned(h, w) == 1 && bytes.Equal(r, good) }},
			{CorruptRead, nil, true, 0, func(h, r []byte) bool { return bytes.Equal(h, w) && turned(r, good) == 1 }},
			{ShortWrite, system.EREMOTEIO, true, 0, func(h, _ []byte) bool { return len(h) < 4 && len(h) > 0 && bytes.HasPrefix(w, h) }},
			{ShortRead, nil, true, 0, func(_, r []byte) bool { return r[5] == 0xFF && bytes.HasPrefix(good, bytes.TrimRight(r, "\xFF")) }},
			{Delay, nil, true, 10 * time.Millisecond, func(_, r []byte) bool { return bytes.Equal(r, good) }},
		} {
			var slept time.Duration
			e := &echo{}
			b := NewFaulty(e, seed, func(d time.Duration) { slept += d }).Plan(c.fault)
			sent, r := bytes.Clone(w), make([]byte, 6)
			err := b.Tx(0x1F, sent, r)
			if !errors.Is(err, c.err) || (len(e.heard) == 1) != c.heard || slept != c.slept || !bytes.Equal(sent, w) {
				t.Errorf("%v: %v: error %v, heard % x, slept %v, caller's bytes % x", b, c.fault, err, e.heard, slept, sent)
			}
			if c.check != nil && !c.check(e.heard[0], r) {
				t.Errorf("%v: %v: heard % x, read % x", b, c.fault, e.heard, r)
			}
			if b.count(c.fault) != 1 {
				t.Errorf("%v counted %d times", c.fault, b.count(c.fault))
			}
			if err := b.Tx(0x1F, w, r); err != nil {
				t.Errorf("%v: the plan continues: %v", c.fault, err)
			}
		}
	}
}

func TestFaultyUnplugAndErrors(t *testing.T) {
	e := &echo{}
	b := NewFaulty(e, 1, nil).Plan(None)
	b.Unplug(true)
	if err := b.Tx(1, []byte{1}, nil); !errors.Is(err, system.EREMOTEIO) || len(e.heard) != 0 {
		t.Errorf("unplugged: %v", err)
	}
	b.Unplug(false)
	e.err = syscall.EPROTO
	if err := b.Tx(1, []byte{1}, nil); !errors.Is(err, syscall.EPROTO) {
		t.Errorf("the bus's own error is lost: %v", err)
	}
	if err := b.Plan(ShortWrite).Tx(1, nil, nil); !errors.Is(err, system.EREMOTEIO) || b.SetSpeed(1) != nil {
		t.Errorf("short write of an empty message: %v", err)
	}
	if !strings.Contains(b.String(), "seed 1") || Fault(200).String() != "fault 200" || Gone.String() != "gone" {
		t.Error(b, Fault(200))
	}
}

// TestFaultyRate checks that the same seed gives the same faults, about as many as asked for.
func TestFaultyRate(t *testing.T) {
	run := func(seed uint64) (string, int) {
		b := NewFaulty(&echo{}, seed, nil).Rate(NAK, 0.1).Rate(CorruptRead, 0.2)
		var s strings.Builder
		for range 2000 {
			r := make([]byte, 4)
			fmt.Fprint(&s, b.Tx(1, nil, r), r)
		}
		if n := b.count(NAK); n < 120 || n > 280 || b.count(None) < 1000 {
			t.Errorf("%v: %d NAKs of 2000 at a rate of 0.1", b, n)
		}
		return s.String(), b.count(CorruptRead)
	}
	a, n := run(7)
	b, _ := run(7)
	c, _ := run(8)
	if a != b || a == c || n == 0 {
		t.Error("the seed does not decide")
	}
}

// The third transaction is answered with one bit inverted.
func ExampleFaulty() {
	bus := NewFaulty(&echo{}, 1, nil).Plan(None, NAK, CorruptRead)
	r := make([]byte, 2)
	for range 3 {
		err := bus.Tx(0x1F, []byte{0}, r)
		fmt.Println(err, turned(r, []byte{0xA5, 0xA5}))
	}
	// Output:
	// <nil> 0
	// remote I/O error 0
	// <nil> 1
}
