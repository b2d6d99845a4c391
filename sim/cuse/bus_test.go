// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// chipAddr is where the chip of a registers bus is.
const chipAddr = 0x42

// registers is a bus with one chip: 256 registers, the first byte of a write chooses one. It writes down all transfers.
type registers struct {
	mu      sync.Mutex
	reg     [256]byte
	at      byte
	log     []string
	fail    error // of the next transfers
	fails   int   // how many of them
	busy    bool  // a transfer is under way
	overlap bool  // two were
	timeout time.Duration
}

func (b *registers) String() string { return "registers" }

func (b *registers) SetSpeed(physic.Frequency) error { return nil }

func (b *registers) SetTimeout(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.timeout = d
}

func (b *registers) Tx(addr uint16, w, r []byte) error {
	b.mu.Lock()
	b.overlap = b.overlap || b.busy
	b.busy = true
	b.log = append(b.log, fmt.Sprintf("%02x:w%x r%d", addr, w, len(r)))
	err := b.fail
	if b.fails > 0 {
		b.fails--
	} else {
		err = nil
	}
	b.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busy = false
	if err != nil {
		return err
	}
	if addr != chipAddr {
		return fmt.Errorf("no chip: %w", system.EREMOTEIO)
	}
	if len(w) > 0 {
		b.at = w[0]
	}
	for i := 1; i < len(w); i++ {
		b.reg[b.at] = w[i]
		b.at++
	}
	for i := range r {
		r[i] = b.reg[b.at]
		b.at++
	}
	return nil
}

// failing makes the next n transfers fail.
func (b *registers) failing(n int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail, b.fails = err, n
}

// took gives the transfers since the last call.
func (b *registers) took() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := strings.Join(b.log, ", ")
	b.log = nil
	return s
}
