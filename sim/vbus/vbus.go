// SPDX-License-Identifier: Apache-2.0

// Package vbus simulates an I²C bus: virtual chips have addresses on it, a transfer takes the time that its bits
// take on the wire, and faults of real buses can be injected.
//
// A [Bus] implements periph's i2c.BusCloser, and its errors are those of the
// Linux I²C driver of the Raspberry Pi: a missing acknowledge is
// EREMOTEIO, a clock held too long syscall.ETIMEDOUT, both wrapped.
package vbus

import (
	"fmt"
	"log/slog"
	"sync"
	"syscall"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// bitsPerByte counts the eight data bits and the acknowledge.
const bitsPerByte = 9

// maxMessage is the longest message of a transfer; the Linux i2c-dev driver
// refuses longer ones with EINVAL.
const maxMessage = 8192

// Config holds what a Bus needs from outside.
type Config struct {
	// Name is what String returns. It defaults to "vbus".
	Name string
	// Sleep sleeps for the time of a transfer. It defaults to nil: transfers
	// take no time. The bus calls it from Tx, not while holding a lock that
	// its other methods need.
	Sleep func(time.Duration)
	// Speed is the clock rate. It defaults to 100 kHz.
	Speed physic.Frequency
	// Timeout is how long the adapter waits for a stretched clock before it
	// gives up. It defaults to 20 ms, which drivers of this robot set.
	Timeout time.Duration
	// Seed chooses the random faults.
	Seed uint64
	// Tap hears of every transfer when it has ended: what was written and read, and how it failed. It must not use the
	// bus nor keep the slices. It defaults to nil: no one.
	Tap func(addr uint16, w, r []byte, err error)
	// Logger hears of every injected fault, at debug level. It defaults to nil: silence.
	Logger *slog.Logger
}

// Bus is a virtual I²C bus. All methods are safe for concurrent use; transfers
// happen in sequence, as on a wire.
type Bus struct {
	name   string
	sleep  func(time.Duration)
	logger *slog.Logger
	tap    func(addr uint16, w, r []byte, err error)
	faults Faults
	random noise.Source // of all faults

	mu  sync.Mutex // guards own
	own map[uint16]*Faults

	// wire is held during a transfer. It is a channel and not a mutex because
	// a goroutine waiting on a channel does not keep synctest's clock from
	// advancing while the transfer sleeps.
	wire chan struct{}
	// The fields below are guarded by wire.
	bit     time.Duration
	timeout time.Duration
	chips   map[uint16]Chip
	sent    []byte // the bytes as they arrive at the chip, after corruption
	closed  bool
}

var _ i2c.BusCloser = (*Bus)(nil)

// New returns a bus without chips.
func New(cfg Config) *Bus {
	b := &Bus{
		name:    cfg.Name,
		sleep:   cfg.Sleep,
		timeout: cfg.Timeout,
		logger:  cfg.Logger,
		tap:     cfg.Tap,
		wire:    make(chan struct{}, 1),
		bit:     bitTime(100 * physic.KiloHertz),
		chips:   make(map[uint16]Chip),
		own:     make(map[uint16]*Faults),
		sent:    make([]byte, 0, 64),
	}
	if b.name == "" {
		b.name = "vbus"
	}
	if b.timeout <= 0 {
		b.timeout = 20 * time.Millisecond
	}
	if cfg.Speed > 0 {
		b.bit = bitTime(cfg.Speed)
	}
	b.random = noise.New(cfg.Seed).Named("vbus faults")
	b.faults.init(b.random)
	return b
}

// bitTime returns the length of one bit; physic.Frequency counts micro-hertz.
func bitTime(f physic.Frequency) time.Duration {
	return time.Duration(int64(time.Second) * int64(physic.Hertz) / int64(f))
}

// String returns the name of the bus.
func (b *Bus) String() string { return b.name }

// Faults returns the control over the bus's failures.
func (b *Bus) Faults() *Faults { return &b.faults }

// FaultsAt returns the control over the failures of the transfers with one
// 7-bit address, whether a chip is there or not; the same at every call. A
// transfer that fails by the plan of the whole bus does not count in it.
func (b *Bus) FaultsAt(addr uint16) *Faults {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.own[addr]
	if f == nil {
		f = new(Faults)
		f.init(b.random.Stream(uint64(addr)))
		b.own[addr] = f
	}
	return f
}

// fault chooses the fault of the transfer that begins now.
func (b *Bus) fault(addr uint16, w, r int) Fault {
	f := b.faults.next(addr, w, r)
	if f.Kind != None {
		return f
	}
	b.mu.Lock()
	own := b.own[addr]
	b.mu.Unlock()
	if own != nil {
		f = own.next(addr, w, r)
	}
	return f
}

// Attach puts a chip at a 7-bit address; nil takes the chip there away.
func (b *Bus) Attach(addr uint16, c Chip) error {
	if addr > 0x7f {
		return fmt.Errorf("%w: %#x", errAddress, addr)
	}
	b.wire <- struct{}{}
	defer b.release()
	if c == nil {
		delete(b.chips, addr)
	} else {
		b.chips[addr] = c
	}
	return nil
}

// SetSpeed changes the clock rate of the following transfers, 1 Hz to 400 kHz
// (the most that the Pi-puck's multiplexer passes on).
func (b *Bus) SetSpeed(f physic.Frequency) error {
	if f < physic.Hertz || f > 400*physic.KiloHertz {
		return fmt.Errorf("%w: %s is not within 1 Hz and 400 kHz", errSpeed, f)
	}
	b.wire <- struct{}{}
	defer b.release()
	b.bit = bitTime(f)
	return nil
}

// SetTimeout changes how long the adapter waits for a stretched clock in the
// following transfers, as I2C_TIMEOUT does; 0 and less do nothing.
func (b *Bus) SetTimeout(d time.Duration) {
	if d <= 0 {
		return
	}
	b.wire <- struct{}{}
	defer b.release()
	b.timeout = d
}

// Close makes every later transfer fail with an error wrapping os.ErrClosed. It
// waits for the transfer under way. Closing twice is harmless.
func (b *Bus) Close() error {
	b.wire <- struct{}{}
	defer b.release()
	b.closed = true
	return nil
}

func (b *Bus) release() { <-b.wire }

// wait sleeps for the time of n bytes.
func (b *Bus) wait(n int) {
	if b.sleep != nil && n > 0 {
		b.sleep(time.Duration(n*bitsPerByte) * b.bit)
	}
}

// hang sleeps for the adapter's time-out.
func (b *Bus) hang() error {
	if b.sleep != nil {
		b.sleep(b.timeout)
	}
	return syscall.ETIMEDOUT
}
