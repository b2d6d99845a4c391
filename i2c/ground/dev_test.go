// SPDX-License-Identifier: Apache-2.0

package ground

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2ctest"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func at(ms int) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }

const (
	plain = "0384 0385 0386 0010 0011 0012"
	cliff = plain + "05 0101 0202 0103 0204"
	bare  = plain + "05 FFFF FFFF FFFF FFFF"
)

// play returns a device on a bus that expects the bursts given, each from register 0.
func play(t *testing.T, opts *Opts, bursts ...string) *Dev {
	t.Helper()
	bus := &i2ctest.Playback{DontPanic: true}
	for _, b := range bursts {
		bus.Ops = append(bus.Ops, i2ctest.IO{Addr: Addr, W: []byte{0}, R: unhex(t, b)})
	}
	t.Cleanup(func() {
		if err := bus.Close(); err != nil {
			t.Error(err)
		}
	})
	return mustNew(t, bus, opts)
}

func mustNew(t *testing.T, bus pi2c.Bus, opts *Opts) *Dev {
	t.Helper()
	d, err := New(bus, Addr, opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// poll returns the reading if there is one, and "found" or "lost" if the board appeared or disappeared.
func poll(d *Dev, now time.Time, r *Reading) (string, error) {
	return i2cfake.Event(d, func() error {
		fresh, err := d.Poll(now)
		if fresh {
			err = d.Sense(r)
		}
		return err
	})
}

// TestBursts: one transaction per poll, whose length depends on the board's sensors.
func TestBursts(t *testing.T) {
	for _, c := range []struct {
		name  string
		opts  *Opts
		plays []string
		cliff bool
		bytes int
	}{
		{"without cliff sensors", nil, []string{bare, plain, plain}, false, 15},
		{"with cliff sensors", nil, []string{cliff, cliff}, true, 24},
		{"cliff sensors not wanted", &Opts{Cliff: cliffNone}, []string{cliff, plain}, false, 15},
		{"cliff sensors insisted on", &Opts{Cliff: cliffPresent}, []string{cliff, cliff}, true, 24},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := play(t, c.opts, c.plays...)
			if d.WireBytes() != 24 {
				t.Errorf("a probe takes %d bytes", d.WireBytes())
			}
			for i := range c.plays {
				var r Reading
				e, err := poll(d, at(i), &r)
				if err != nil || (e == "found") != (i == 0) || r.Reflected != [3]uint16{900, 901, 902} || r.Cliff != c.cliff {
					t.Errorf("poll %d: %v %v %+v", i, e, err, r)
				}
			}
			if !d.Present() || d.Cliff() != c.cliff || d.Revision() != 5 || d.WireBytes() != c.bytes || !d.Next().IsZero() {
				t.Errorf("present %v, cliff %v, revision %d, %d bytes", d.Present(), d.Cliff(), d.Revision(), d.WireBytes())
			}
		})
	}
}

// TestWrongIdentity: other devices at the address are not accepted as a ground sensor board.
func TestWrongIdentity(t *testing.T) {
	for name, burst := range map[string]string{
		"idle line":   strings.Repeat("FF", 21),
		"zeros":       strings.Repeat("00", 21),
		"other chip":  strings.Repeat("EE", 21),
		"no revision": plain + "FF 0101 0202 0103 0204",
		"cut off":     "0384 0385" + strings.Repeat("FF", 17),
		"cliff cut":   "",
	} {
		opts := &Opts{}
		if name == "cliff cut" {
			burst, opts.Cliff = bare, cliffPresent
		}
		d := play(t, opts, burst)
		r := Reading{Reflected: [3]uint16{1, 2, 3}}
		e, err := poll(d, epoch, &r)
		if !errors.Is(err, errImplausible) || e != "" || d.Present() || r.Reflected != [3]uint16{1, 2, 3} {
			t.Errorf("%s: %v %v present %v %+v", name, e, err, d.Present(), r)
		}
		before := d.Stats().Transactions
		if _, err = poll(d, at(999), &r); err != nil || d.Stats().Transactions != before {
			t.Errorf("%s: asked again at once: %v", name, err)
		}
	}
}

// TestFoundAndLost: absent at first, connected, disconnected, and another edition connected.
func TestFoundAndLost(t *testing.T) {
	nak := i2cfake.Step{Addr: Addr, Write: []byte{0}, Err: system.EREMOTEIO}
	step := func(s string) i2cfake.Step { return i2cfake.Step{Addr: Addr, Write: []byte{0}, Read: unhex(t, s)} }
	bus := i2cfake.NewScript(nak, step(bare), step(plain), nak, step(plain), nak, nak, nak, nak, step(cliff), step(cliff))
	d := mustNew(t, bus, &Opts{Opts: device.Opts{Tries: 3}})
	var log []string
	for ms := 0; ms < 5000; ms += 50 {
		var r Reading
		e, err := poll(d, at(ms), &r)
		if e != "" {
			log = append(log, fmt.Sprintf("%s@%d", e, ms))
		}
		if errors.Is(err, i2c.ErrBus) && i2c.KindOf(err) != i2c.KindNAK {
			t.Fatal(err)
		}
		if r.Cliff && ms < 3000 || bus.Done() == nil {
			break
		}
	}
	if got := strings.Join(log, " "); got != "found@1000 lost@1300 found@3300" {
		t.Error(got)
	}
	if err := bus.Done(); err != nil {
		t.Error(err)
	}
	if s := d.Stats(); s.Starts != 2 || s.Losses != 1 || s.FailedStarts != 2 || s.BusErrorTotal() != 6 || s.Readings != 5 {
		t.Errorf("%+v", s)
	}
	if !d.Cliff() {
		t.Error("the second board has cliff sensors")
	}
}

// TestLostBoardForgets: properties of one board do not apply to the next.
func TestLostBoardForgets(t *testing.T) {
	bus := i2cfake.NewScript(i2cfake.Step{Addr: Addr, Read: unhex(t, cliff)}, i2cfake.Step{Addr: Addr, Err: syscall.ENODEV})
	d := mustNew(t, bus, &Opts{Opts: device.Opts{Tries: 1}})
	var r Reading
	_, _ = poll(d, epoch, &r)
	e, err := poll(d, at(50), &r)
	var bad *i2c.BusError
	if e != "lost" || !errors.As(err, &bad) || bad.Addr != Addr || bad.Read != 21 || bad.Bus != "script" ||
		d.Cliff() || d.Revision() != 0 || d.Next() != at(1050) {
		t.Errorf("%v %v cliff %v revision %d next %v", e, err, d.Cliff(), d.Revision(), d.Next())
	}
}

func TestNew(t *testing.T) {
	bus := i2cfake.NewScript()
	for name, f := range map[string]func() (*Dev, error){
		"no bus":      func() (*Dev, error) { return New(nil, Addr, nil) },
		"address":     func() (*Dev, error) { return New(bus, 0x80, nil) },
		"cliff 3":     func() (*Dev, error) { return New(bus, Addr, &Opts{Cliff: 3}) },
		"nothing odd": func() (*Dev, error) { return New(bus, Addr, nil) },
	} {
		d, err := f()
		if good := name == "nothing odd"; (err == nil) != good || (d != nil) != good || (!good && !errors.Is(err, device.ErrOption)) {
			t.Errorf("%s: %v %v", name, d, err)
		}
	}
	d := mustNew(t, bus, nil)
	if d.String() != "ground sensors script(0x60)" || d.Halt() != nil {
		t.Error(d)
	}
}

// TestOverAnEdge: a board that measures nothing at all is present, and is found if it reports its revision.
func TestOverAnEdge(t *testing.T) {
	dark := strings.Repeat("00", 12)
	d := play(t, nil, bare, dark, dark, dark, dark, dark, dark, plain)
	var r Reading
	for i := range 7 {
		e, err := poll(d, at(i), &r)
		if err != nil || (e == "found") != (i == 0) || e == "lost" || r.Dark() != (i > 0) || !d.Present() {
			t.Errorf("poll %d: %v %v %+v", i, e, err, r)
		}
	}
	if _, err := poll(d, at(7), &r); err != nil || r.Dark() {
		t.Errorf("%v %+v", err, r)
	}
	d = play(t, nil, dark+"05"+strings.Repeat("FF", 8))
	if e, err := poll(d, epoch, &r); e != "found" || err != nil || !r.Dark() || d.Revision() != 5 {
		t.Errorf("found over an edge: %v %v %+v", e, err, r)
	}
}
