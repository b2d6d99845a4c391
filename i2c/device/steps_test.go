// SPDX-License-Identifier: Apache-2.0

package device

import (
	"errors"
	"testing"
)

// flicker is a bus whose register 9 changes with each reading.
type flicker struct{ registers }

func (b *flicker) Tx(addr uint16, w, r []byte) error {
	b.mem[9]++
	return b.registers.Tx(addr, w, r)
}

func TestSteps(t *testing.T) {
	var got []byte
	take := func(r []byte) error { got = append([]byte(nil), r...); return nil }
	for _, c := range []struct {
		name  string
		steps []Step
		want  error
	}{
		{"write and expect", []Step{Write(1, 2, 3), Expect(1, 2, 3), Expect(2, 3)}, nil},
		{"expect another value", []Step{Write(1, 2, 3), Expect(1, 2, 4)}, ErrVerify},
		{"read twice", ReadTwice(1, 2, take), nil},
		{"read twice what changes", ReadTwice(9, 1, take), ErrVerify},
		{"refused", ReadTwice(1, 1, func([]byte) error { return ErrIdentity }), ErrIdentity},
	} {
		b := &flicker{}
		b.mem[1], b.mem[2] = 2, 3
		chip, err := NewChip("chip", b, 0x42, &plan{lists: [][]Step{c.steps}}, Opts{})
		if err != nil {
			t.Fatal(err)
		}
		if running, err := chip.Poll(at(0)); !errors.Is(err, c.want) || running != (c.want == nil) {
			t.Errorf("%s: %v, %v", c.name, running, err)
		}
	}
	if len(got) != 2 || got[0] != 2 || got[1] != 3 {
		t.Errorf("taken: % x", got)
	}
}
