// SPDX-License-Identifier: Apache-2.0

package camsensor

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

var errNAK error = system.EREMOTEIO

// script returns the steps of a record; "!" in place of a transaction is one that is not acknowledged.
func script(t testing.TB, text string) *i2cfake.Script {
	t.Helper()
	var steps []i2cfake.Step
	for line := range strings.Lines(text) {
		addr, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		for _, word := range strings.Fields(rest) {
			if !ok {
				t.Fatal(line)
			}
			io := record(t, addr+": "+strings.TrimPrefix(word, "!"))[0]
			s := i2cfake.Step{Addr: io.Addr, Write: io.W, Read: io.R}
			if word[0] == '!' {
				s.Err = errNAK
			}
			steps = append(steps, s)
		}
	}
	return i2cfake.NewScript(steps...)
}

// play polls every 50 ms until the script is done, and returns the events.
func play(t testing.TB, d *Dev, bus *i2cfake.Script) string {
	t.Helper()
	var log []string
	for ms := 0; ms < 60000 && bus.Done() != nil; ms += 50 {
		e, err := i2cfake.Event(d, func() error { return d.Poll(at(ms)) })
		if e != "" {
			log = append(log, fmt.Sprintf("%s@%d", e, ms))
		}
		if errors.Is(err, i2cfake.ErrScript) {
			t.Fatalf("%d ms: %v", ms, err)
		}
	}
	if err := bus.Done(); err != nil {
		t.Error(err)
	}
	return strings.Join(log, " ")
}

const ovRest = ` w40C0 w3D00 wB084 w1713 w1801 w3236 w1902 w1A7A w030A w2A00 w2B5B w9222 w9301 w0C00 w3E00 w703A w7135 w7211 w73F0 wA202`

// TestRetries: registers that are not acknowledged in the middle of the sequence, one of them in five attempts.
func TestRetries(t *testing.T) {
	t.Run("in the end", func(t *testing.T) {
		bus := script(t, "21: w0A r76 w0B r73 !w1280 w1280 w1180 !w3A04 !w3A04 !w3A04 !w3A04 w3A04 w1200"+ovRest+" w3A !r00 !w3A w3A r04")
		d := mustNew(t, bus, nil)
		if log := play(t, d, bus); log != "found@3050" {
			t.Error(log)
		}
		if r := d.Result(); r.Retries != 7 || r.Writes != 24 || !r.Verified || r.Err != nil {
			t.Errorf("%+v", r)
		}
	})
	t.Run("never", func(t *testing.T) {
		bus := script(t, "21: w0A r76 w0B r73 w1280 w1180 !w3A04 !w3A04 !w3A04 !w3A04 !w3A04")
		d := mustNew(t, bus, nil)
		if log := play(t, d, bus); log != "" || d.Present() {
			t.Error(log)
		}
		r := d.Result()
		if !errors.Is(r.Err, errRegister) || !errors.Is(r.Err, i2c.ErrBus) || !strings.Contains(r.Err.Error(), "0x3a after 5 tries") || r.Model != none {
			t.Errorf("%+v", r)
		}
		before := d.Stats().Transactions
		if err := d.Poll(at(1500)); err != nil || d.Stats().Transactions != before {
			t.Errorf("tries again at once: %v", err)
		}
	})
}

// TestWrongIdentity: unknown devices answer at both addresses.
func TestWrongIdentity(t *testing.T) {
	bus := script(t, "21: w0A r12 w0B r34\n6E: w00 r76 w01 r73\n21: !w0A\n6E: w00 rFF w01 !r00")
	d := mustNew(t, bus, nil)
	var last error
	for ms := 0; bus.Done() != nil && ms < 5000; ms += 50 {
		if err := d.Poll(at(ms)); err != nil {
			last = err
		}
		if ms == 500 {
			if r := d.Result(); !errors.Is(last, errIdentity) || !errors.Is(r.Err, errIdentity) || !errors.Is(r.Err, errAbsent) || r.ID != 0x7673 ||
				r.Model != none || r.Writes != 0 || d.Present() {
				t.Errorf("%v %+v", last, r)
			}
		}
	}
	if err := bus.Done(); err != nil {
		t.Error(err)
	}
	if i2c.KindOf(last) != i2c.KindNAK {
		t.Error(last)
	}
}

// TestSentinel: if a register reads back differently the sequence is repeated, but only once.
func TestSentinel(t *testing.T) {
	seq := " w1280 w1180 w3A04 w1200" + ovRest
	bus := script(t, "21: w0A r76 w0B r73"+seq+" w3A r0D"+seq+" w3A r0C\n21: w3A r0C w3A r0C w3A r04 w3A r0C")
	d := mustNew(t, bus, &Opts{Check: time.Second})
	log := play(t, d, bus)
	if r := d.Result(); log != "found@3050" || r.Verified || r.Err != nil || r.State != device.Running || r.Runs != 1 {
		t.Errorf("%s %+v", log, r)
	}
}

// TestLosesItsSettings: switched off and on between two checks. A single deviating reading is ignored.
func TestLosesItsSettings(t *testing.T) {
	seq := "21: w0A r76 w0B r73 w1280 w1180 w3A04 w1200" + ovRest + " w3A r04\n"
	bus := script(t, seq+"21: w3A r04 w3A rFF w3A r04 w3A r0D w3A r0D\n"+seq+"21: w3A r04")
	d := mustNew(t, bus, nil)
	if log := play(t, d, bus); !strings.HasPrefix(log, "found@") || strings.Count(log, " lost@") != 1 || strings.Count(log, "found@") != 2 {
		t.Error(log)
	}
	if r := d.Result(); r.Runs != 2 || !d.Present() || d.Stats().Losses != 1 || !errors.Is(d.Stats().LastErr, device.ErrReset) {
		t.Errorf("%+v", r)
	}
}

// TestDisappears: the sensor stops answering when it is checked, which its result reports.
func TestDisappears(t *testing.T) {
	bus := script(t, "21: w0A r76 w0B r73 w1280 w1180 w3A04 w1200"+ovRest+" w3A r04\n21: w3A !r00 !w3A !w3A !w3A !w3A\n21: !w0A\n6E: !w00")
	d := mustNew(t, bus, nil)
	log := play(t, d, bus)
	if !strings.Contains(log, "lost@") || d.Present() || d.Result().Model != none || !errors.Is(d.Result().Err, errAbsent) {
		t.Errorf("%s %+v", log, d.Result())
	}
	if d.String() != "camera sensor script" {
		t.Error(d)
	}
}

func TestNew(t *testing.T) {
	bus := i2cfake.NewScript()
	for name, f := range map[string]func() (*Dev, error){
		"bus":      func() (*Dev, error) { return New(nil, nil) },
		"tries":    func() (*Dev, error) { return New(bus, &Opts{Tries: -1}) },
		"wait":     func() (*Dev, error) { return New(bus, &Opts{Wait: -1}) },
		"check":    func() (*Dev, error) { return New(bus, &Opts{Check: -1}) },
		"settings": func() (*Dev, error) { return New(bus, &Opts{Settings: Settings{Gain: 99}}) },
	} {
		if d, err := f(); d != nil || !errors.Is(err, device.ErrOption) && !errors.Is(err, errSettings) {
			t.Errorf("%s: %v", name, err)
		}
	}
	d := mustNew(t, bus, nil)
	if err := d.Configure(Settings{Gain: 99}); !errors.Is(err, errSettings) || d.Settings() != (Settings{}) {
		t.Error(err)
	}
	if d.Halt() != nil || !errors.Is(d.Result().Err, errAbsent) {
		t.Error(d.Result())
	}
}
