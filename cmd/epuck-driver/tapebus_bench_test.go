// SPDX-License-Identifier: Apache-2.0

package main

import (
	"sync"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// tapeReplies is how many replies of a transfer are kept: chips' bytes must not be the same all the time.
const tapeReplies = 64

// tapeKey is what a transfer is known by: the chip and the register, not the values written.
type tapeKey struct {
	addr        uint16
	register    byte
	write, read int
}

// tapeBus is a bus that answers at no cost: it records what a simulated robot's bus answers, and once it plays it gives
// that again, one after the other, without the robot, its time and its mathematics. Transfers that were never made
// before still go to the robot.
type tapeBus struct {
	bus pi2c.Bus

	mu      sync.Mutex
	plays   bool
	replies map[tapeKey]*tape
	missed  int
}

// tape holds the replies to one transfer.
type tape struct {
	replies [][]byte
	next    int
}

func newTapeBus(bus pi2c.Bus) *tapeBus { return &tapeBus{bus: bus, replies: map[tapeKey]*tape{}} }

func (b *tapeBus) String() string                    { return b.bus.String() }
func (b *tapeBus) SetSpeed(f physic.Frequency) error { return b.bus.SetSpeed(f) }

// play ends the recording.
func (b *tapeBus) play() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.plays = true
}

// forget begins the recording anew: what a chip answers while it is brought up is not what it answers then.
func (b *tapeBus) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.replies = map[tapeKey]*tape{}
}

func (b *tapeBus) Tx(addr uint16, w, r []byte) error {
	key := tapeKey{addr: addr, write: len(w), read: len(r)}
	if len(w) > 0 && len(w) < 20 { // what the main processor is told does not matter
		key.register = w[0]
	}
	if b.replay(key, r) {
		return nil
	}
	err := b.bus.Tx(addr, w, r)
	if err == nil {
		b.record(key, r)
	}
	return err
}

func (b *tapeBus) replay(key tapeKey, r []byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.replies[key]
	if !b.plays || t == nil {
		return false
	}
	copy(r, t.replies[t.next])
	t.next = (t.next + 1) % len(t.replies)
	return true
}

func (b *tapeBus) record(key tapeKey, r []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.replies[key]
	if t == nil {
		t = &tape{}
		b.replies[key] = t
	}
	if b.plays {
		b.missed++
	}
	if len(t.replies) < tapeReplies {
		t.replies = append(t.replies, append([]byte(nil), r...))
		return
	}
	copy(t.replies[t.next], r) // the latest count
	t.next = (t.next + 1) % tapeReplies
}
