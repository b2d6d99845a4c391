// SPDX-License-Identifier: Apache-2.0

package i2cfake

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"periph.io/x/conn/v3/physic"
)

func TestScript(t *testing.T) {
	steps := []Step{
		{Addr: 0x1F, Write: []byte{1, 2}, Read: []byte{3, 4}},
		{Addr: 0x29, Err: syscall.ETIMEDOUT},
	}
	type tx struct {
		addr uint16
		w    []byte
		r    int
	}
	good := []tx{{0x1F, []byte{1, 2}, 2}, {0x29, []byte{9}, 7}}
	for _, c := range []struct {
		name string
		txs  []tx
		says string // of Done; empty: the script was followed
	}{
		{"followed", good, ""},
		{"nothing done", nil, "only 0 of 2"},
		{"one left", good[:1], "only 1 of 2"},
		{"too many", append(good[:2:2], tx{0x1F, nil, 1}), "only 2 steps"},
		{"other address", []tx{{0x1E, []byte{1, 2}, 2}}, "step 0: address 0x1e, want 0x1f"},
		{"other bytes", []tx{{0x1F, []byte{1, 3}, 2}}, "write 01 03, want 01 02"},
		{"other length", []tx{{0x1F, []byte{1, 2}, 3}}, "read of 3 bytes, want 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewScript(steps...)
			var last error
			for _, x := range c.txs {
				last = s.Tx(x.addr, x.w, make([]byte, x.r))
			}
			err := s.Done()
			switch {
			case c.says == "" && (err != nil || !errors.Is(last, syscall.ETIMEDOUT)):
				t.Errorf("Done: %v, last: %v", err, last)
			case c.says != "" && (!errors.Is(err, ErrScript) || !strings.Contains(err.Error(), c.says)):
				t.Errorf("Done: %v, want %q", err, c.says)
			}
			if fmt.Sprint(s.Close()) != fmt.Sprint(err) {
				t.Error("Close does not agree with Done")
			}
		})
	}
	s := NewScript(steps...)
	_ = s.Tx(0, nil, nil)
	if err := s.Tx(0x1F, []byte{1, 2}, make([]byte, 2)); !errors.Is(err, ErrScript) {
		t.Errorf("after a departure: %v", err)
	}
	if s.String() != "script" || s.SetSpeed(physic.KiloHertz) != nil {
		t.Error(s)
	}
}

// A test lists the transactions it expects and checks at the end whether they were made.
func ExampleScript() {
	bus := NewScript(Step{Addr: 0x29, Write: []byte{0xC0}, Read: []byte{0xEE}})
	id := make([]byte, 1)
	fmt.Println(bus.Tx(0x29, []byte{0xC0}, id), id, bus.Done())
	// Output: <nil> [238] <nil>
}
