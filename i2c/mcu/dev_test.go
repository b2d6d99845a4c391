// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

// rig is a device on a firmware, with a bus in between that can fail.
type rig struct {
	*testing.T
	f      *firmware
	bus    *i2cfake.Faulty
	d      *Dev
	events []Event
	flags  bool // a failed transaction is also seen by the firmware
}

func (r *rig) String() string { return r.bus.String() }

// Tx lets the firmware see the errors of the bus.
func (r *rig) Tx(addr uint16, w, p []byte) error {
	err := r.bus.Tx(addr, w, p)
	if err != nil && r.flags {
		r.f.flagged = true
	}
	return err
}

type rigBus struct{ *rig }

func (b rigBus) SetSpeed(f physic.Frequency) error { return nil }
func (b rigBus) String() string                    { return b.bus.String() }

func newRig(t *testing.T, faults ...i2cfake.Fault) *rig {
	t.Helper()
	r := &rig{T: t, f: newFirmware(), flags: true}
	r.bus = i2cfake.NewFaulty(r.f, 1, func(d time.Duration) { r.f.pass(d) }).Plan(faults...)
	d, err := New(rigBus{r}, &Opts{Now: r.f.clock, OnEvent: func(e Event) { r.events = append(r.events, e) }})
	if err != nil {
		t.Fatal(err)
	}
	r.d = d
	return r
}

// cycle makes n exchanges at 20 Hz, none of which may fail, and returns the last sensors.
func (r *rig) cycle(n int, c Command) (s Sensors) {
	r.Helper()
	for range n {
		start := r.f.now
		var err error
		if s, err = r.d.Exchange(c); err != nil {
			r.Fatalf("exchange: %v", err)
		}
		r.f.pass(max(50*time.Millisecond-r.f.now.Sub(start), 0))
	}
	return s
}

// cycleAny makes n exchanges of zero speeds at 20 Hz, whether they fail or not.
func (r *rig) cycleAny(n int) {
	for range n {
		start := r.f.now
		_, _ = r.d.Exchange(Command{})
		r.f.pass(max(50*time.Millisecond-r.f.now.Sub(start), 0))
	}
}

// happened returns the events so far as text and clears them.
func (r *rig) happened() string {
	var words []string
	for _, e := range r.events {
		words = append(words, fmt.Sprintf("%v/%d", e.Kind, e.Attempts))
	}
	r.events = nil
	return strings.Join(words, ", ")
}

func TestNew(t *testing.T) {
	for _, c := range []struct {
		opts *Opts
		says string
	}{
		{&Opts{Addr: 0x80}, "Opts.Addr 0x80"}, {&Opts{Tries: -1}, "Opts.Tries -1"}, {&Opts{OneShotTimeout: -1}, "Opts.OneShotTimeout"},
	} {
		if _, err := New(newFirmware(), c.opts); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.opts, err)
		}
	}
	if _, err := New(nil, nil); err == nil {
		t.Error("a nil bus is taken")
	}
	d, err := New(newFirmware(), nil)
	if err != nil || d.String() != "e-puck2 MCU firmware(0x1f)" {
		t.Error(d, err)
	}
}

// TestExchangeGolden has the bytes of one exchange.
func TestExchangeGolden(t *testing.T) {
	reply := good()
	bus := i2cfake.NewScript(i2cfake.Step{ // the first command of all has zero speeds
		Addr: 0x1F, Read: reply[:],
		Write: []byte{0, 0, 0, 0, 0, 1, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x65},
	}, i2cfake.Step{
		Addr: 0x1F, Read: reply[:],
		Write: []byte{0x9F, 0, 0x61, 0xFF, 0, 1, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x64},
	})
	d, err := New(bus, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Exchange(Command{Left: 159, Right: -159, LEDs: LED1, RGB: [4]RGB{{R: 100}}})
	if err != nil || s != newFirmware().sensors {
		t.Errorf("%+v, %v", s, err)
	}
	if err := bus.Done(); err != nil {
		t.Error(err)
	}
}

func TestExchangeRefusesOneShots(t *testing.T) {
	r := newRig(t)
	for _, c := range []Command{{Melody: 1}, {Settings: CalibrateIR}, {Settings: SetSteps}, {Melody: 9}, {RGB: [4]RGB{{G: 101}}}} {
		if _, err := r.d.Exchange(c); !errors.Is(err, ErrCommand) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if r.f.transactions != 0 {
		t.Errorf("%d transactions", r.f.transactions)
	}
}

// TestExchangeFaults counts attempts: the fault, the caller's result, and that the command is executed in the same
// call.
func TestExchangeFaults(t *testing.T) {
	const (
		ok, nak, tmo, rerr, cw, cr = i2cfake.None, i2cfake.NAK, i2cfake.Timeout, i2cfake.ReadError, i2cfake.CorruptWrite, i2cfake.CorruptRead
	)
	for _, c := range []struct {
		name     string
		faults   []i2cfake.Fault
		is       error
		tx       uint64 // transactions
		executed bool
		check    func(s *Stats) bool
	}{
		{"none", nil, nil, 1, true, func(s *Stats) bool { return s.BusErrorTotal() == 0 && s.LastErr == nil }},
		{"NAK", []i2cfake.Fault{nak}, nil, 3, true, func(s *Stats) bool { return s.BusErrors[i2c.KindNAK] == 1 && s.Retries == 1 && s.Repeats == 1 }},
		{"two", []i2cfake.Fault{tmo, nak}, nil, 4, true, func(s *Stats) bool { return s.BusErrors[i2c.KindTimeout] == 1 && s.Retries == 2 }},
		{"three", []i2cfake.Fault{tmo, nak, nak}, i2c.ErrBus, 3, false, func(s *Stats) bool { return s.Failed == 1 && s.FailedInRow == 1 }},
		{"read error", []i2cfake.Fault{rerr}, nil, 3, true, func(s *Stats) bool { return s.BusErrors[i2c.KindIO] == 1 }},
		{"corrupt reply", []i2cfake.Fault{cr}, nil, 3, true, func(s *Stats) bool { return s.Checksum == 1 && s.BusErrorTotal() == 0 }},
		{"three corrupt replies", []i2cfake.Fault{cr, cr, cr}, ErrChecksum, 3, true, func(s *Stats) bool { return s.Checksum == 3 }},
		{"corrupt command", []i2cfake.Fault{cw}, nil, 1, false, func(s *Stats) bool { return s.Checksum == 0 }},
		{"error, then repetition fails", []i2cfake.Fault{nak, ok, nak}, nil, 3, false, func(s *Stats) bool { return s.Failed == 0 }},
		{"gone", []i2cfake.Fault{i2cfake.Gone}, i2c.ErrBus, 1, false, func(s *Stats) bool { return s.BusErrors[i2c.KindGone] == 1 && s.Retries == 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.cycle(1, Command{})
			r.bus.Plan(c.faults...)
			s, err := r.d.Exchange(Command{Left: 100, Right: 100})
			if !errors.Is(err, c.is) || c.is == nil && err != nil || (err != nil) != (s == Sensors{}) {
				t.Errorf("sensors %+v, error %v", s, err)
			}
			st := r.d.Counters()
			if st.Transactions != c.tx+1 || !c.check(&st) || st.Exchanges != 2 {
				t.Errorf("%+v", st)
			}
			if (r.f.speed[0] == 100) != c.executed {
				t.Errorf("wheels turn with %v", r.f.speed)
			}
			r.cycle(1, Command{Left: 100, Right: 100})
			if r.f.speed != [2]float64{100, 100} {
				t.Errorf("after the next exchange the wheels turn with %v", r.f.speed)
			}
			if st := r.d.Counters(); st.FailedInRow != 0 {
				t.Errorf("%d failures in a row after a success", st.FailedInRow)
			}
		})
	}
}

// TestExchangeErrorsAreBusErrors: whatever a bus returns matches i2c.ErrBus and keeps its cause.
func TestExchangeErrorsAreBusErrors(t *testing.T) {
	for _, cause := range []error{syscall.EIO, errors.New("strange"), &i2c.BusError{Err: syscall.ENXIO}} {
		step := i2cfake.Step{Addr: 0x1F, Err: cause}
		d, err := New(i2cfake.NewScript(step, step, step), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Exchange(Command{}); !errors.Is(err, i2c.ErrBus) || !errors.Is(err, cause) {
			t.Errorf("%v became %v", cause, err)
		}
	}
}

// TestExchangeNeverStale: a bus that succeeds without filling in anything returns no measurement, not even the last
// one.
func TestExchangeNeverStale(t *testing.T) {
	r := newRig(t)
	r.cycle(1, Command{})
	r.f.silent = true
	if s, err := r.d.Exchange(Command{}); !errors.Is(err, ErrAllZero) || !errors.Is(err, errImplausible) || s != (Sensors{}) {
		t.Errorf("%+v, %v", s, err)
	}
	if st := r.d.Counters(); st.AllZero != 3 || st.Implausible != 3 || !errors.Is(st.LastErr, ErrAllZero) {
		t.Errorf("%+v", st)
	}
}

func TestExchangeAllocates(t *testing.T) {
	r := newRig(t)
	c := Command{Left: 10, Right: 20, LEDs: LED1}
	if n := testing.AllocsPerRun(200, func() { _, _ = r.d.Exchange(c) }); n != 0 {
		t.Errorf("%v allocations per exchange", n)
	}
}

func BenchmarkExchange(b *testing.B) {
	d, err := New(newFirmware(), nil)
	if err != nil {
		b.Fatal(err)
	}
	c := Command{Left: 100, Right: -100}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Exchange(c); err != nil {
			b.Fatal(err)
		}
	}
}
