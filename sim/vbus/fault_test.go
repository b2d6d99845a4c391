// SPDX-License-Identifier: Apache-2.0

package vbus_test

import (
	"bytes"
	"errors"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// Each kind of fault in a write of 4 and read of 4 bytes: what the master gets,
// what the chip notices and how long it takes.
func TestFaults(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		fault                         vbus.Fault
		err                           string
		messages, disturbed, restarts int
		took                          time.Duration
		written, read                 []byte
	}{
		{vbus.Fault{}, "ok", 1, 0, 0, 900 * us, []byte{1, 2, 3, 4}, []byte{1, 2, 3, 4}},
		{vbus.Fault{Kind: vbus.NAK}, "EREMOTEIO", 0, 0, 0, 90 * us, nil, nil},
		{vbus.Fault{Kind: vbus.DataNAK, Byte: 2}, "EREMOTEIO", 0, 1, 0, 360 * us, nil, nil},
		{vbus.Fault{Kind: vbus.DataNAK, Byte: 6}, "EREMOTEIO", 0, 1, 0, 360 * us, nil, nil},
		{vbus.Fault{Kind: vbus.Timeout}, "ETIMEDOUT", 0, 1, 0, 20000 * us, nil, nil},
		{vbus.Fault{Kind: vbus.ReadNAK}, "EREMOTEIO", 1, 1, 0, 540 * us, []byte{1, 2, 3, 4}, nil},
		{vbus.Fault{Kind: vbus.ReadTimeout}, "ETIMEDOUT", 1, 1, 0, 20450 * us, []byte{1, 2, 3, 4}, nil},
		{vbus.Fault{Kind: vbus.CorruptWrite, Byte: 1, Mask: 0x80}, "ok", 1, 0, 0, 900 * us, []byte{1, 0x82, 3, 4}, []byte{1, 0x82, 3, 4}},
		{vbus.Fault{Kind: vbus.CorruptRead, Byte: 3}, "ok", 1, 0, 0, 900 * us, []byte{1, 2, 3, 4}, []byte{1, 2, 3, 5}},
		{vbus.Fault{Kind: vbus.Restart}, "ok", 1, 0, 1, 900 * us, []byte{1, 2, 3, 4}, []byte{1, 2, 3, 4}},
		{vbus.Fault{Kind: vbus.Stuck}, "ETIMEDOUT", 0, 0, 0, 20000 * us, nil, nil},
	} {
		b, m, watch := newBus(t, 0)
		if err := b.Faults().Next(c.fault); err != nil {
			t.Fatal(err)
		}
		r := make([]byte, 4)
		err := b.Tx(addr, []byte{1, 2, 3, 4}, r)
		if got := errnoName(err); got != c.err {
			t.Errorf("%v: %s, want %s", c.fault.Kind, got, c.err)
		}
		if m.messages != c.messages || m.disturbed != c.disturbed || m.restarts != c.restarts {
			t.Errorf("%v: %d messages, %d disturbances, %d restarts; want %d, %d, %d", c.fault.Kind,
				m.messages, m.disturbed, m.restarts, c.messages, c.disturbed, c.restarts)
		}
		if watch.slept != c.took {
			t.Errorf("%v: took %v, want %v", c.fault.Kind, watch.slept, c.took)
		}
		if !bytes.Equal(m.got, c.written) {
			t.Errorf("%v: chip got % x, want % x", c.fault.Kind, m.got, c.written)
		}
		if c.read != nil && !bytes.Equal(r, c.read) {
			t.Errorf("%v: read % x, want % x", c.fault.Kind, r, c.read)
		}
		if n := b.Faults().Injected(c.fault.Kind); n != 1 {
			t.Errorf("%v: counted %d times", c.fault.Kind, n)
		}
	}
}

// Faults that need a read do nothing to a write, and the other way round.
func TestFaultsWhereTheyCannotAct(t *testing.T) {
	for _, c := range []struct {
		kind vbus.Kind
		w, r int
		err  string
	}{
		{vbus.ReadNAK, 3, 0, "ok"},
		{vbus.ReadTimeout, 3, 0, "ok"},
		{vbus.CorruptRead, 3, 0, "ok"},
		{vbus.CorruptWrite, 0, 3, "ok"},
		{vbus.DataNAK, 0, 3, "ok"},
		{vbus.Timeout, 0, 3, "ETIMEDOUT"},
		{vbus.Timeout, 0, 0, "ETIMEDOUT"},
		{vbus.NAK, 0, 0, "EREMOTEIO"},
		{vbus.Stuck, 0, 0, "ETIMEDOUT"},
	} {
		b, _, _ := newBus(t, 0)
		_ = b.Faults().Next(vbus.Fault{Kind: c.kind})
		if got := errnoName(b.Tx(addr, make([]byte, c.w), make([]byte, c.r))); got != c.err {
			t.Errorf("%v in a write of %d and read of %d: %s, want %s", c.kind, c.w, c.r, got, c.err)
		}
	}
}

func TestFaultsAreLogged(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	b := vbus.New(vbus.Config{Name: "logged", Logger: logger})
	_ = b.Attach(addr, &memory{})
	_ = b.Faults().Next(vbus.Fault{}, vbus.Fault{Kind: vbus.ReadTimeout})
	for range 2 {
		_ = b.Tx(addr, []byte{1}, make([]byte, 1))
	}
	if n := bytes.Count(out.Bytes(), []byte("\n")); n != 1 || !bytes.Contains(out.Bytes(), []byte("read timeout")) {
		t.Errorf("logged %q", out.String())
	}
}

func TestImpossibleFaultsAreRefused(t *testing.T) {
	b, _, _ := newBus(t, 0)
	f := b.Faults()
	bad := []vbus.Fault{{Kind: 99}, {Kind: vbus.CorruptRead, Byte: -1}}
	for _, fault := range bad {
		for name, err := range map[string]error{
			"Next": f.Next(vbus.Fault{Kind: vbus.NAK}, fault), "At": f.At(0, fault), "Hold": f.Hold(fault),
		} {
			if !errors.Is(err, vbus.ErrFault) {
				t.Errorf("%s(%v): %v", name, fault, err)
			}
		}
	}
	for _, r := range []vbus.Rates{{NAK: -0.1}, {Stuck: 1.5}, {Timeout: math.NaN()}, {NAK: 0.6, Restart: 0.6}} {
		if err := f.SetRates(r); !errors.Is(err, vbus.ErrFault) {
			t.Errorf("SetRates(%+v): %v", r, err)
		}
	}
	if err := b.Tx(addr, []byte{1}, nil); err != nil {
		t.Errorf("a refused fault acted: %v", err)
	}
	if f.Injected(99) != 0 {
		t.Error("an unknown kind has been counted")
	}
}

func TestKindNames(t *testing.T) {
	seen := map[string]bool{}
	for k := vbus.None; k <= vbus.Stuck; k++ {
		if s := k.String(); s == "" || seen[s] {
			t.Errorf("kind %d is called %q", k, s)
		} else {
			seen[s] = true
		}
	}
	if s := vbus.Kind(77).String(); s != "Kind(77)" {
		t.Errorf("kind 77 is called %q", s)
	}
}

// A time-out that was set is how long the next hang takes; none is no time-out.
func TestSetTimeout(t *testing.T) {
	b, _, watch := newBus(t, 0)
	for _, c := range []struct{ set, took time.Duration }{
		{time.Second, time.Second}, {0, time.Second}, {-1, time.Second}, {50 * time.Millisecond, 50 * time.Millisecond},
	} {
		b.SetTimeout(c.set)
		watch.slept = 0
		_ = b.Faults().Next(vbus.Fault{Kind: vbus.Stuck})
		if got := errnoName(b.Tx(addr, []byte{1}, nil)); got != "ETIMEDOUT" || watch.slept != c.took {
			t.Errorf("set %v: %s after %v, want ETIMEDOUT after %v", c.set, got, watch.slept, c.took)
		}
	}
}
