// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"sync"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// tapeReplies is how many replies of a transfer are kept: chips' bytes must not be the same all the time.
const tapeReplies = 64

// busKey is what a transfer is known by: the chip and the register, not the values written.
type busKey struct {
	addr        uint16
	register    byte
	write, read int
}

// recordedBus is a bus whose transfers cost nothing: it records the answers of a simulated robot's bus, and then
// replays them in sequence, without the robot, its time and its mathematics. Transfers that were not recorded still go
// to the robot.
type recordedBus struct {
	bus pi2c.Bus

	mu      sync.Mutex
	plays   bool
	replies map[busKey]*replies
	missed  int
}

// replies holds the replies to one transfer.
type replies struct {
	replies [][]byte
	next    int
}

func newRecordedBus(bus pi2c.Bus) *recordedBus {
	return &recordedBus{bus: bus, replies: map[busKey]*replies{}}
}

func (b *recordedBus) String() string                    { return b.bus.String() }
func (b *recordedBus) SetSpeed(f physic.Frequency) error { return b.bus.SetSpeed(f) }

// play ends the recording.
func (b *recordedBus) play() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.plays = true
}

// forget begins the recording anew: what a chip answers while it is brought up is not what it answers then.
func (b *recordedBus) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.replies = map[busKey]*replies{}
}

func (b *recordedBus) Tx(addr uint16, w, r []byte) error {
	key := busKey{addr: addr, write: len(w), read: len(r)}
	if len(w) > 0 && len(w) < 20 { // the commands to the main processor do not matter
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

func (b *recordedBus) replay(key busKey, r []byte) bool {
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

func (b *recordedBus) record(key busKey, r []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.replies[key]
	if t == nil {
		t = &replies{}
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
