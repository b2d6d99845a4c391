// SPDX-License-Identifier: Apache-2.0

package mcu

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

func TestHalt(t *testing.T) {
	const ok, nak, tmo, rerr, cw, cr, gone = i2cfake.None, i2cfake.NAK, i2cfake.Timeout, i2cfake.ReadError, i2cfake.CorruptWrite, i2cfake.CorruptRead, i2cfake.Gone
	for _, c := range []struct {
		name   string
		faults []i2cfake.Fault
		flag   bool // an error unknown to the host came before
		is     error
	}{
		{"no faults", nil, false, nil},
		{"a hidden error before", nil, true, nil},
		{"errors", []i2cfake.Fault{nak, tmo, rerr, nak, cr}, false, nil},
		{"error after the first", []i2cfake.Fault{ok, nak}, false, nil},
		{"errors in between", []i2cfake.Fault{ok, nak, ok, nak, ok, ok, cr}, true, nil},
		{"corrupt command", []i2cfake.Fault{cw, cw}, false, nil},
		{"bus gone", []i2cfake.Fault{gone}, false, i2c.ErrBus},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.cycle(3, Command{Left: 1100, Right: -600, LEDs: LED5})
			r.f.flagged = c.flag
			r.bus.Plan(c.faults...)
			err := r.d.Halt()
			switch {
			case c.is == nil && (err != nil || r.f.speed != [2]float64{} || r.f.leds != byte(LED5)):
				t.Errorf("%v, speeds %v, LEDs %#x", err, r.f.speed, r.f.leds)
			case c.is != nil && (!errors.Is(err, c.is) || !errors.Is(err, ErrNotStopped)):
				t.Errorf("%v, want %v", err, c.is)
			}
		})
	}
}

func TestHaltGivesUp(t *testing.T) {
	r := newRig(t)
	r.cycle(2, Command{Left: 1100, Right: 1100})
	r.f.ignore = 1 << 20
	n := r.f.transactions
	if err := r.d.Halt(); !errors.Is(err, ErrNotStopped) || errors.Is(err, i2c.ErrBus) || r.f.transactions-n != haltTries {
		t.Errorf("%v after %d transactions", err, r.f.transactions-n)
	}
	r.bus.Rate(i2cfake.Timeout, 1)
	start := r.f.now
	if err := r.d.Halt(); !errors.Is(err, ErrNotStopped) || i2c.KindOf(err) != i2c.KindTimeout {
		t.Error(err)
	}
	if took := r.f.now.Sub(start); took > haltTime+20*time.Millisecond {
		t.Errorf("gave up after %v", took)
	}
}

// TestHaltDuring: Halt from another goroutine, one-shots from a third; the race detector checks.
func TestHaltDuring(t *testing.T) {
	d, err := New(newFirmware(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 200 {
			if _, err := d.Exchange(Command{Left: 100}); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Go(func() {
		for range 20 {
			if err := d.Halt(); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Go(func() {
		for i := range 50 {
			_ = d.PlayMelody(1 + i%3)
			d.SetSteps(int16(i), 0)
			d.CalibrateIR()
			_, _, _ = d.Pending(), d.Counters(), d.Diagnosis()
		}
	})
	wg.Wait()
}
