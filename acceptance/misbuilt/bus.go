// SPDX-License-Identifier: Apache-2.0

// Package misbuilt adds named faults of real robots to simulated ones: swapped wires, sensors mounted the wrong way
// round, dead parts, other firmware, noisy buses. It changes the bytes on the robot's bus, so that a driver meets
// them as it would on a robot.
//
// The acceptance test of a robot is tried on them. The bytes are those of the robot's firmware (gumstix.c, branch
// gumstix) and of the data sheets of its chips.
package misbuilt

import (
	"encoding/binary"
	"sync"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

const (
	addrMCU     = 0x1F
	addrCamera  = 0x21
	addrToF     = 0x29
	addrGround  = 0x60
	addrIMU     = 0x68
	commandSize = 20
	sensorsSize = 47
)

// transfer is one transfer on the bus. The slices are those of the fault: the caller's command is not changed.
type transfer struct {
	addr  uint16
	w, r  []byte
	at    time.Duration // of a command: since the beginning of the world
	count uint64        // transfers with this address before this one
}

// command reports whether the transfer has a command to the main processor.
func (t *transfer) command() bool { return t.addr == addrMCU && len(t.w) == commandSize }

// sensors reports whether the transfer has a reply of the main processor.
func (t *transfer) sensors() bool { return t.addr == addrMCU && len(t.r) == sensorsSize }

// inertial reports whether the transfer reads the measurements of the inertial sensor (MPU-9250, register 0x3B).
func (t *transfer) inertial() bool {
	return t.addr == addrIMU && len(t.w) == 1 && t.w[0] == 0x3B && len(t.r) >= 14
}

// speeds returns the wheel speeds of a command, steps/s.
func (t *transfer) speeds() (left, right int16) {
	return int16(binary.LittleEndian.Uint16(t.w)), int16(binary.LittleEndian.Uint16(t.w[2:]))
}

func (t *transfer) setSpeeds(left, right int16) {
	binary.LittleEndian.PutUint16(t.w, uint16(left))
	binary.LittleEndian.PutUint16(t.w[2:], uint16(right))
}

// steps returns the step counters of a reply.
func (t *transfer) steps() (left, right int16) {
	return int16(binary.LittleEndian.Uint16(t.r[41:])), int16(binary.LittleEndian.Uint16(t.r[43:]))
}

func (t *transfer) setSteps(left, right int16) {
	binary.LittleEndian.PutUint16(t.r[41:], uint16(left))
	binary.LittleEndian.PutUint16(t.r[43:], uint16(right))
}

// axis returns measurement i of the inertial sensor: 0 to 2 acceleration, 4 to 6 angular velocity, in the chip's axes.
func (t *transfer) axis(i int) int16 { return int16(binary.BigEndian.Uint16(t.r[2*i:])) }

func (t *transfer) setAxis(i int, v int) {
	binary.BigEndian.PutUint16(t.r[2*i:], uint16(int16(max(-32768, min(32767, v)))))
}

// effect is what a fault does to the transfers. Each function may be nil.
type effect struct {
	before func(*transfer) error // changes what is written, or fails the transfer
	after  func(*transfer)       // changes what was read
	broken func(*transfer)       // changes what was read, after the checksum was made right
}

// Bus is a simulated robot's bus with faults. It is safe for concurrent use.
type Bus struct {
	mu      sync.Mutex // of the effects' state
	bus     i2c.Bus
	now     func() time.Duration // since the beginning, in the time of the world
	effects []effect
	counts  map[uint16]uint64
}

// errNoAnswer is a missing acknowledge, as Linux reports it.
const errNoAnswer = system.EREMOTEIO

// String returns the name of the robot's bus.
func (b *Bus) String() string { return b.bus.String() }

// SetSpeed is passed to the robot's bus.
func (b *Bus) SetSpeed(f physic.Frequency) error { return b.bus.SetSpeed(f) }

// Tx makes a transfer with the faults.
func (b *Bus) Tx(addr uint16, w, r []byte) error {
	t := transfer{addr: addr, w: append([]byte(nil), w...), r: r}
	if t.command() {
		t.at = b.now()
	}
	if err := b.command(&t); err != nil {
		return err
	}
	if err := b.bus.Tx(addr, t.w, r); err != nil {
		return err
	}
	b.reply(&t)
	return nil
}

// command changes what is written.
func (b *Bus) command(t *transfer) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	t.count = b.counts[t.addr]
	b.counts[t.addr]++
	right := t.command() && checksum(t.w) == 0
	for _, e := range b.effects {
		if e.before != nil {
			if err := e.before(t); err != nil {
				return err
			}
		}
	}
	if right {
		t.w[commandSize-1] ^= checksum(t.w)
	}
	return nil
}

// reply changes what was read.
func (b *Bus) reply(t *transfer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	right := t.sensors() && checksum(t.r) == 0
	for _, e := range b.effects {
		if e.after != nil {
			e.after(t)
		}
	}
	if right {
		t.r[sensorsSize-1] ^= checksum(t.r)
	}
	for _, e := range b.effects {
		if e.broken != nil {
			e.broken(t)
		}
	}
}

// checksum is the exclusive or of all bytes: 0 for a packet whose last byte is that of the others.
func checksum(p []byte) (sum byte) {
	for _, c := range p {
		sum ^= c
	}
	return sum
}
