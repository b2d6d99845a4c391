// SPDX-License-Identifier: Apache-2.0

package vbus_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

func TestTransferTakesItsWireTime(t *testing.T) {
	for _, c := range []struct {
		w, r  int
		speed physic.Frequency
		want  time.Duration
	}{
		{20, 47, 0, 69 * 90 * time.Microsecond}, // the MCU's exchange, 6.21 ms
		{20, 0, 0, 21 * 90 * time.Microsecond},
		{0, 47, 0, 48 * 90 * time.Microsecond},
		{0, 0, 0, 90 * time.Microsecond},
		{1, 14, 400 * physic.KiloHertz, 17 * 22500 * time.Nanosecond},
		{1, 1, 10 * physic.KiloHertz, 4 * 900 * time.Microsecond},
	} {
		b, _, watch := newBus(t, 0)
		if c.speed > 0 {
			if err := b.SetSpeed(c.speed); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Tx(addr, make([]byte, c.w), make([]byte, c.r)); err != nil {
			t.Fatal(err)
		}
		if watch.slept != c.want {
			t.Errorf("write of %d and read of %d at %v took %v, want %v", c.w, c.r, c.speed, watch.slept, c.want)
		}
	}
}

func TestConfiguredSpeed(t *testing.T) {
	w := &stopwatch{}
	b := vbus.New(vbus.Config{Sleep: w.Sleep, Speed: 50 * physic.KiloHertz})
	_ = b.Attach(addr, &memory{})
	if err := b.Tx(addr, nil, nil); err != nil || w.slept != 180*time.Microsecond {
		t.Errorf("a byte took %v (%v), want 180µs", w.slept, err)
	}
	if b.String() != "vbus" {
		t.Errorf("default name is %q", b)
	}
}

func TestAbsentChip(t *testing.T) {
	b, m, watch := newBus(t, 0)
	err := b.Tx(0x10, []byte{1}, make([]byte, 2))
	if !errors.Is(err, system.EREMOTEIO) {
		t.Errorf("error %v, want EREMOTEIO", err)
	}
	if !strings.Contains(err.Error(), "0x10") || !strings.Contains(err.Error(), "test") {
		t.Errorf("error %q names neither address nor bus", err)
	}
	if watch.slept != 90*time.Microsecond {
		t.Errorf("took %v, want the address byte only", watch.slept)
	}
	m.asleep = true
	if err := b.Tx(addr, []byte{1}, nil); !errors.Is(err, system.EREMOTEIO) || m.messages != 0 {
		t.Errorf("a chip that is not ready: %v, %d messages", err, m.messages)
	}
	m.asleep = false
	if err := b.Attach(addr, nil); err != nil {
		t.Fatal(err)
	}
	if err := b.Tx(addr, []byte{1}, nil); !errors.Is(err, system.EREMOTEIO) {
		t.Errorf("a chip taken away: %v", err)
	}
}

func TestChipThatRefusesBytes(t *testing.T) {
	b, m, _ := newBus(t, 0)
	m.limit = 3
	if err := b.Tx(addr, make([]byte, 3), nil); err != nil {
		t.Errorf("3 bytes: %v", err)
	}
	if err := b.Tx(addr, make([]byte, 4), make([]byte, 1)); !errors.Is(err, system.EREMOTEIO) {
		t.Errorf("4 bytes: %v, want EREMOTEIO", err)
	}
}

// At 1 kHz a byte takes 9 ms: eleven of them, the address among them, fit into
// 100 ms.
func TestSlowMessages(t *testing.T) {
	for _, c := range []struct {
		w, r      int
		err       string
		messages  int
		disturbed int
		heard     int // bytes of the read that came from the chip
		took      time.Duration
	}{
		{10, 0, "ok", 1, 0, 0, 99 * time.Millisecond},
		{11, 0, "EREMOTEIO", 0, 1, 0, 99 * time.Millisecond},
		{10, 10, "ok", 1, 0, 10, 198 * time.Millisecond},
		{10, 20, "ok", 1, 1, 10, 288 * time.Millisecond},
	} {
		watch, h := &stopwatch{}, &hasty{}
		b := vbus.New(vbus.Config{Sleep: watch.Sleep, Speed: physic.KiloHertz})
		_ = b.Attach(addr, h)
		r := make([]byte, c.r)
		if got := errnoName(b.Tx(addr, make([]byte, c.w), r)); got != c.err {
			t.Errorf("%d, %d bytes: %s, want %s", c.w, c.r, got, c.err)
		}
		if h.messages != c.messages || h.disturbed != c.disturbed || watch.slept != c.took {
			t.Errorf("%d, %d bytes: %d messages, %d disturbances, %v; want %d, %d, %v",
				c.w, c.r, h.messages, h.disturbed, watch.slept, c.messages, c.disturbed, c.took)
		}
		for i, v := range r {
			if (v == 0xFF) != (i >= c.heard) {
				t.Errorf("%d, %d bytes: read % x", c.w, c.r, r)
				break
			}
		}
	}
}

func TestBadArguments(t *testing.T) {
	b, m, _ := newBus(t, 0)
	if err := b.Tx(0x80, nil, nil); !errors.Is(err, vbus.ErrAddress) {
		t.Errorf("address 0x80: %v", err)
	}
	if err := b.Attach(0x80, m); !errors.Is(err, vbus.ErrAddress) {
		t.Errorf("chip at 0x80: %v", err)
	}
	if err := b.Tx(addr, make([]byte, 8193), nil); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("8193 bytes: %v", err)
	}
	for _, f := range []physic.Frequency{0, -physic.Hertz, physic.Hertz / 2, physic.MegaHertz} {
		if err := b.SetSpeed(f); !errors.Is(err, vbus.ErrSpeed) {
			t.Errorf("speed %v: %v", f, err)
		}
	}
	if m.messages != 0 {
		t.Errorf("%d messages reached the chip", m.messages)
	}
}

func TestClosedBus(t *testing.T) {
	b, m, _ := newBus(t, 0)
	for range 2 {
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
	err := b.Tx(addr, []byte{1}, nil)
	if !errors.Is(err, vbus.ErrClosed) || !errors.Is(err, os.ErrClosed) || m.messages != 0 {
		t.Errorf("after Close: %v, %d messages", err, m.messages)
	}
}

func TestWriterKeepsItsBytes(t *testing.T) {
	b, m, _ := newBus(t, 0)
	if err := b.Faults().Next(vbus.Fault{Kind: vbus.CorruptWrite, Byte: 1, Mask: 0xF0}); err != nil {
		t.Fatal(err)
	}
	w := []byte{1, 2, 3}
	if err := b.Tx(addr, w, nil); err != nil {
		t.Fatal(err)
	}
	if w[1] != 2 || m.got[1] != 0xF2 {
		t.Errorf("writer's bytes % x, arrived % x", w, m.got)
	}
}

func TestTransferDoesNotAllocate(t *testing.T) {
	b, _, _ := newBus(t, 0)
	w, r := make([]byte, 20), make([]byte, 47)
	if n := testing.AllocsPerRun(100, func() { _ = b.Tx(addr, w, r) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Transfers wait for each other on the wire; under synctest the waiting ones
// must not keep the clock from advancing.
func TestTransfersDoNotOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := vbus.New(vbus.Config{Sleep: time.Sleep})
		if err := b.Attach(addr, &memory{}); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var wg sync.WaitGroup
		for i := range 5 {
			wg.Go(func() {
				w := []byte{byte(i), byte(i)}
				r := make([]byte, 2)
				if err := b.Tx(addr, w, r); err != nil || r[0] != byte(i) || r[1] != byte(i) {
					t.Errorf("transfer %d read % x, %v", i, r, err)
				}
			})
		}
		wg.Wait()
		if d := time.Since(start); d != 5*6*90*time.Microsecond {
			t.Errorf("five transfers took %v", d)
		}
	})
}

func ExampleBus() {
	b := vbus.New(vbus.Config{Name: "example"})
	_ = b.Attach(0x42, &memory{})
	_ = b.Faults().Next(vbus.Fault{Kind: vbus.NAK}, vbus.Fault{})

	r := make([]byte, 2)
	fmt.Println(b.Tx(0x42, []byte("hi"), r))
	fmt.Println(b.Tx(0x42, []byte("hi"), r), string(r))
	// Output:
	// example: transfer with 0x42: remote I/O error
	// <nil> hi
}
