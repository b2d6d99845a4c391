// SPDX-License-Identifier: Apache-2.0

// Package misbuilt adds named faults of real robots to simulated ones: swapped wires, sensors mounted the wrong way
// round, dead parts, other firmware, noisy buses. It changes the bytes on the robot's bus, so that a driver
// encounters them as on a robot.
//
// The acceptance test is tested with them. The formats are those of the robot's firmware (gumstix.c, branch gumstix)
// and of the data sheets of its chips.
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

// transfer is one transfer on the bus. w is a copy, so that the caller's command is not changed.
type transfer struct {
	addr  uint16
	w, r  []byte
	at    time.Duration // of a command: time since the start of the simulation
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

// effect changes the transfers for a fault. Each function may be nil.
type effect struct {
	before func(*transfer) error // changes the written bytes, or fails the transfer
	after  func(*transfer)       // changes the read bytes
	broken func(*transfer)       // changes the read bytes after the checksum was corrected
}

// Bus is a simulated robot's bus with faults. It is safe for concurrent use.
type Bus struct {
	mu      sync.Mutex // guards the effects' state
	bus     i2c.Bus
	now     func() time.Duration // simulated time since the start
	effects []effect
	counts  map[uint16]uint64
}

// errNoAnswer is a missing acknowledge, as Linux reports it.
const errNoAnswer = system.EREMOTEIO

// String returns the name of the robot's bus.
func (b *Bus) String() string { return b.bus.String() }

// SetSpeed sets the speed of the robot's bus.
func (b *Bus) SetSpeed(f physic.Frequency) error { return b.bus.SetSpeed(f) }

// Tx executes a transfer with the faults.
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

// command applies the effects to the written bytes.
func (b *Bus) command(t *transfer) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	t.count = b.counts[t.addr]
	b.counts[t.addr]++
	valid := t.command() && checksum(t.w) == 0
	for _, e := range b.effects {
		if e.before != nil {
			if err := e.before(t); err != nil {
				return err
			}
		}
	}
	if valid {
		t.w[commandSize-1] ^= checksum(t.w)
	}
	return nil
}

// reply applies the effects to the read bytes.
func (b *Bus) reply(t *transfer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	valid := t.sensors() && checksum(t.r) == 0
	for _, e := range b.effects {
		if e.after != nil {
			e.after(t)
		}
	}
	if valid {
		t.r[sensorsSize-1] ^= checksum(t.r)
	}
	for _, e := range b.effects {
		if e.broken != nil {
			e.broken(t)
		}
	}
}

// checksum returns the exclusive or of all bytes: 0 for a packet whose last byte is the checksum of the others.
func checksum(p []byte) (sum byte) {
	for _, c := range p {
		sum ^= c
	}
	return sum
}
