// SPDX-License-Identifier: Apache-2.0

package device

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// registers is a bus with one chip of 256 registers at 0x42.
type registers struct {
	mem    [256]byte
	log    []string
	fail   map[int]error // by number of the transaction
	broken error         // of all transactions
	count  int
}

func (b *registers) String() string                  { return "registers" }
func (b *registers) SetSpeed(physic.Frequency) error { return nil }

func (b *registers) Tx(addr uint16, w, r []byte) error {
	n := b.count
	b.count++
	if err := errors.Join(b.fail[n], b.broken); err != nil {
		return err
	}
	if addr != 0x42 {
		return system.EREMOTEIO
	}
	b.log = append(b.log, fmt.Sprintf("% x>%d", w, len(r)))
	copy(b.mem[w[0]:], w[1:])
	copy(r, b.mem[w[0]:])
	return nil
}

// plan returns lists of steps in sequence, and records the errors it received.
type plan struct {
	lists     [][]Step
	next      int
	errs      []error
	continues bool // continue after an error
}

func (p *plan) Begin() []Step {
	p.next = 1
	return p.lists[0]
}

func (p *plan) Next(err error) ([]Step, error) {
	p.errs = append(p.errs, err)
	if err != nil && !p.continues {
		return nil, fmt.Errorf("plan: %w", err)
	}
	if p.next == len(p.lists) {
		return nil, nil
	}
	p.next++
	return p.lists[p.next-1], nil
}

func newChip(t testing.TB, b *registers, p *plan, opts Opts) *Chip {
	t.Helper()
	c, err := NewChip("chip", b, 0x42, p, opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// at is the time ms milliseconds after the start.
func at(ms int) time.Time { return time.Unix(100, 0).Add(time.Duration(ms) * time.Millisecond) }

// writes returns n steps that each write one register.
func writes(n int) []Step {
	s := make([]Step, n)
	for i := range s {
		s[i].Write = []byte{byte(i), byte(i + 1)}
	}
	return s
}
