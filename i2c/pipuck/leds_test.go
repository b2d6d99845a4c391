// SPDX-License-Identifier: Apache-2.0

package pipuck

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2ctest"
	"periph.io/x/conn/v3/physic"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

func mustNew(t testing.TB, bus pi2c.Bus, opts *Opts) *Dev {
	t.Helper()
	d, err := New(bus, Addr, opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestColour(t *testing.T) {
	for rgb, want := range map[uint32]Colour{
		0: Off, 0xFF0000: Red, 0x00FF00: Green, 0x0000FF: Blue, 0xFFFFFF: White, 0x010100: Yellow, 0x800080: Magenta,
		0x000101: Cyan, 0xFF000000: Off, 0x12000001: Blue,
	} {
		if got := ColourOf(rgb); got != want {
			t.Errorf("%#06x: %v, want %v", rgb, got, want)
		}
	}
	for c := Off; c <= White; c++ {
		if ColourOf(c.rgb()) != c {
			t.Errorf("%v is %#06x", c, c.rgb())
		}
	}
	if Cyan.String() != "cyan" || (White+1).String() != "off" || Blue != 0b100 || Green != 0b010 || Red != 0b001 {
		t.Error("names or bits")
	}
}

// TestWrites: found by the first write, then the changes, then one LED per second.
func TestWrites(t *testing.T) {
	w := func(reg, colour byte) i2ctest.IO { return i2ctest.IO{Addr: Addr, W: []byte{reg, colour}} }
	bus := &i2ctest.Playback{DontPanic: true, Ops: []i2ctest.IO{
		w(0, 0), w(1, 2), w(2, 0), // the initial colours
		w(2, 5), w(0, 1), // changes, at once
		w(0, 1), w(1, 2), w(2, 5), w(0, 1), // refreshed
	}}
	d := mustNew(t, bus, nil)
	if err := d.Set(1, Green); err != nil {
		t.Fatal(err)
	}
	var log []string
	for ms := 0; ms < 5100; ms += 50 {
		switch ms {
		case 300:
			_ = d.Set(2, ColourOf(0xFF00FF))
		case 600:
			_ = d.Set(0, Blue) // replaced before it was written
			_ = d.Set(0, Red)
		}
		before := bus.Count
		e, err := i2cfake.Event(d, func() error { return d.Poll(at(ms)) })
		if err != nil || bus.Count > before+1 {
			t.Fatalf("%d ms: %v, %d transactions", ms, err, bus.Count-before)
		}
		if e != "" || bus.Count > before {
			log = append(log, fmt.Sprintf("%d", ms))
		}
	}
	if got := strings.Join(log, " "); got != "0 50 100 300 600 1600 2600 3600 4600" {
		t.Error(got)
	}
	if err := bus.Close(); err != nil {
		t.Error(err)
	}
	if d.Next() != at(5600) || !d.Present() || d.Stats().Starts != 1 {
		t.Error(d.Next(), d.Stats())
	}
}

// TestNeverFF: with any calls of the device, only bytes 0 to 7 are on the bus.
func TestNeverFF(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rec := &i2ctest.Record{}
		d, err := New(rec, Addr, nil)
		if err != nil {
			t.Fatal(err)
		}
		now := epoch
		for range rapid.IntRange(1, 60).Draw(t, "n") {
			switch rapid.IntRange(0, 9).Draw(t, "op") {
			case 0, 1:
				_ = d.Halt()
			case 2, 3, 4:
				i := rapid.IntRange(-1, 4).Draw(t, "i")
				if err := d.Set(i, Colour(rapid.Byte().Draw(t, "c"))); (err == nil) != (i >= 0 && i < LEDs) {
					t.Fatal(i, err)
				}
			default:
				_ = d.Poll(now)
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "ms")) * time.Millisecond)
		}
		for _, op := range rec.Ops {
			if len(op.W) != 2 || op.W[0] > 2 || op.W[1] > 7 || len(op.R) != 0 {
				t.Fatalf("% x was written, %d bytes read", op.W, len(op.R))
			}
		}
	})
}

func TestHalt(t *testing.T) {
	rec := &i2ctest.Record{}
	d := mustNew(t, rec, nil)
	if err := d.Halt(); err != nil || len(rec.Ops) != 0 {
		t.Errorf("absent: %v, %d transactions", err, len(rec.Ops))
	}
	_ = d.Set(2, White)
	_ = d.Poll(epoch)
	rec.Ops = nil
	if err := d.Halt(); err != nil || len(rec.Ops) != 3 || d.Colour(2) != Off {
		t.Error(err, rec.Ops)
	}
	broken := mustNew(t, i2cfake.NewScript(i2cfake.Step{Addr: Addr}, i2cfake.Step{Addr: Addr, Err: syscall.ETIMEDOUT},
		i2cfake.Step{Addr: Addr}, i2cfake.Step{Addr: Addr}), nil)
	_ = broken.Poll(epoch)
	if err := broken.Halt(); i2c.KindOf(err) != i2c.KindTimeout {
		t.Error(err)
	}
}

func TestNewAndSet(t *testing.T) {
	bus := i2cfake.NewScript()
	for name, f := range map[string]func() (*Dev, error){
		"no bus":  func() (*Dev, error) { return New(nil, Addr, nil) },
		"address": func() (*Dev, error) { return New(bus, 0x80, nil) },
		"refresh": func() (*Dev, error) { return New(bus, Addr, &Opts{Refresh: -1}) },
	} {
		if d, err := f(); !errors.Is(err, device.ErrOption) || d != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	d := mustNew(t, bus, nil)
	if err := d.Set(3, Red); !errors.Is(err, errLED) || !strings.Contains(err.Error(), "3") {
		t.Error(err)
	}
	if d.Colour(-1) != Off || d.Colour(3) != Off || d.String() != "Pi-puck LEDs script(0x1c)" || !d.Next().IsZero() {
		t.Error(d, d.Next())
	}
}

// TestConcurrentSet: every goroutine sets its LED, and no change is lost.
func TestConcurrentSet(t *testing.T) {
	d := mustNew(t, &i2ctest.Record{}, nil)
	var wg sync.WaitGroup
	for i := range LEDs {
		wg.Go(func() {
			for c := range 800 {
				_ = d.Set(i, Colour(c&7))
				if d.Colour(i) != Colour(c&7) {
					t.Errorf("LED %d", i)
				}
			}
		})
	}
	wg.Wait()
}

// silent is a bus that accepts everything.
type silent struct{}

func (silent) String() string                  { return "silent" }
func (silent) SetSpeed(physic.Frequency) error { return nil }
func (silent) Tx(uint16, []byte, []byte) error { return nil }

func TestNoAllocation(t *testing.T) {
	d := mustNew(t, silent{}, nil)
	now, c := epoch, Off
	if n := testing.AllocsPerRun(200, func() {
		c++
		_ = d.Set(1, c)
		now = now.Add(time.Second)
		if err := d.Poll(now); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
