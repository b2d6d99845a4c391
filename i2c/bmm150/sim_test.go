// SPDX-License-Identifier: Apache-2.0

package bmm150

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmag"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// rig is a driver, a bus, a virtual chip in a field, and a clock.
type rig struct {
	t           testing.TB
	now         time.Duration
	busy        func() time.Duration // delay of the driver at each transfer; nil: none
	field       [3]float64
	temperature float64
	bus         *vbus.Bus
	chip        *vmag.Chip
	dev         *Dev
	most        uint64
	errs        []error
}

func (g *rig) Field() ([3]float64, float64) { return g.field, g.temperature }

func newRig(t testing.TB, seed uint64, addr uint16, perfect bool, opts *Opts) *rig {
	t.Helper()
	g := &rig{t: t, field: [3]float64{20e-6, -5e-6, -43e-6}, temperature: 25}
	g.bus = vbus.New(vbus.Config{Sleep: func(d time.Duration) {
		if g.now += d; g.busy != nil {
			g.now += g.busy()
		}
	}})
	g.chip = vmag.New(vmag.Config{Now: func() time.Duration { return g.now }, World: g, Noise: noise.New(seed), Perfect: perfect})
	dev, err := New(g.bus, 0, opts)
	if err = errors.Join(err, g.bus.Attach(addr, g.chip)); err != nil {
		t.Fatal(err)
	}
	g.dev = dev
	return g
}

// poll is one Poll, and 50 ms until the next.
func (g *rig) poll() (bool, error) {
	before, start := g.dev.Stats().Transactions, g.now
	fresh, err := g.dev.Poll(time.Unix(1000, 0).Add(g.now))
	g.most = max(g.most, g.dev.Stats().Transactions-before)
	if err != nil {
		g.errs = append(g.errs, err)
		g.errs = g.errs[max(0, len(g.errs)-5):] // enough for a message
	}
	g.now = start + 50*time.Millisecond
	return fresh, err
}

func (g *rig) until(n int) (r Reading) {
	g.t.Helper()
	for range n {
		if fresh, _ := g.poll(); fresh {
			if err := g.dev.Sense(&r); err != nil {
				g.t.Fatal(err)
			}
			return r
		}
	}
	g.t.Fatalf("no measurement in %d polls; state %v, errors %v", n, g.dev.State(), g.errs)
	return r
}

func (g *rig) wantErr(n int, target error) {
	g.t.Helper()
	for range n {
		if _, err := g.poll(); errors.Is(err, target) {
			return
		}
	}
	g.t.Fatalf("no %v in %d polls; state %v, errors %v", target, n, g.dev.State(), g.errs)
}

func near(t testing.TB, what string, got, want [3]float64, slack float64) {
	t.Helper()
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= slack) {
			t.Errorf("%s: %.4g, want %.4g ± %g", what, got, want, slack)
			return
		}
	}
}

// TestField: with any trim, temperature, address and options, the field is that of the world.
func TestField(t *testing.T) {
	for seed := range uint64(10) {
		for _, o := range []Opts{{}, {Preset: LowPower, Rate: 30}, {Preset: Enhanced, Rate: 2}, {Preset: HighAccuracy, Rate: 15}} {
			g := newRig(t, seed, Addr+uint16(seed%4), true, &o)
			g.temperature = 10 + 5*float64(seed)
			near(t, "field", g.until(60).Field, g.field, 0.4e-6) // a count is 0.37 µT
			if len(g.errs) != 0 || g.dev.chip.Addr() != Addr+uint16(seed%4) || g.most > 8 {
				t.Errorf("seed %d: %v, %v, %d transactions in a Poll", seed, g.dev, g.errs, g.most)
			}
			g.field = [3]float64{-400e-6, 900e-6, 600e-6}
			g.until(40)
			near(t, "strong field", g.until(40).Field, g.field, 0.4e-6)
		}
	}
}

func TestRotationAndNoise(t *testing.T) {
	o := &Opts{Rotation: axes.Rotation{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}
	g := newRig(t, 1, Addr, true, o)
	near(t, "turned", g.until(60).Field, [3]float64{5e-6, 20e-6, -43e-6}, 0.4e-6)
	g = newRig(t, 1, Addr, false, nil)
	g.until(60)
	var mean, sq float64
	const n = 500
	for range n {
		x := g.until(10).Field[0]
		mean, sq = mean+x/n, sq+x*x/n
	}
	if v := sq - mean*mean; math.Abs(mean-20e-6) > 0.3e-6 || v < g.dev.Variance()*0.7 || v > g.dev.Variance()*1.5 {
		t.Errorf("mean %.3g, variance %.3g, want %.3g", mean, v, g.dev.Variance())
	}
}

func TestFaultsDuringBringUp(t *testing.T) {
	clean := newRig(t, 2, Addr, false, nil)
	clean.until(60)
	for _, kind := range []vbus.Kind{vbus.NAK, vbus.Timeout, vbus.ReadTimeout, vbus.Restart} {
		for n := range clean.bus.Faults().Transfers() {
			g := newRig(t, 2, Addr, false, nil)
			if err := g.bus.Faults().At(n, vbus.Fault{Kind: kind}); err != nil {
				t.Fatal(err)
			}
			near(t, kind.String(), g.until(120).Field, g.field, 5e-6)
		}
	}
}

func TestLosses(t *testing.T) {
	g := newRig(t, 3, LastAddr, false, nil)
	g.until(60)
	g.chip.Restart()
	g.wantErr(20, device.ErrReset)
	if err := g.dev.Sense(&Reading{}); !errors.Is(err, device.ErrNoReading) {
		t.Error(err)
	}
	g.until(60)
	g.chip.Inject(vmag.Faults{Frozen: true})
	g.wantErr(30, device.ErrFrozen)
	g.chip.Inject(vmag.Faults{Unplugged: true})
	g.wantErr(60, system.EREMOTEIO)
	for range 100 {
		g.poll()
	}
	if s := g.dev.Stats(); g.dev.State() != device.Absent || s.BusErrors[i2c.KindNAK] > 40 {
		t.Errorf("%v %+v", g.dev.State(), s)
	}
	g.chip.Inject(vmag.Faults{})
	g.until(60)
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		faults vmag.Faults
		want   error
	}{{vmag.Faults{ID: 0x33}, device.ErrIdentity}, {vmag.Faults{NoTrim: true}, errTrim}} {
		g := newRig(t, 4, Addr, false, nil)
		g.chip.Inject(c.faults)
		g.wantErr(20, c.want)
	}
	g := newRig(t, 4, Addr, false, nil)
	g.field[2] = 10e-3
	g.wantErr(60, errOverflow)
	if g.dev.Stats().Rejected == 0 {
		t.Errorf("%+v", g.dev.Stats())
	}
}

func TestHalt(t *testing.T) {
	g := newRig(t, 5, Addr, false, nil)
	g.until(60)
	if err := g.dev.Halt(); err != nil {
		t.Error(err)
	}
	if err := g.dev.Sense(&Reading{}); !errors.Is(err, device.ErrHalted) {
		t.Error(err)
	}
	g.until(60)
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	g := newRig(t, 6, Addr, false, nil)
	g.until(60)
	var r Reading
	if n := testing.AllocsPerRun(200, func() {
		if _, err := g.poll(); err != nil || g.dev.Sense(&r) != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestStartedInOneCycleReadInTheNext: polled in each control cycle, the chip starts a measurement in one cycle, which
// is read in the next, each with one transaction, and has the time at which it was made.
func TestStartedInOneCycleReadInTheNext(t *testing.T) {
	g := newRig(t, 7, Addr, true, nil)
	g.until(60)
	for i := range 100 {
		g.field = [3]float64{float64(i+1) * 1e-6, 0, -40e-6}
		began, before := g.now, g.dev.Stats().Transactions
		if fresh, err := g.poll(); fresh || err != nil {
			t.Fatal(fresh, err)
		}
		was := g.field
		g.field = [3]float64{}
		fresh, err := g.poll()
		if !fresh || err != nil || g.dev.Stats().Transactions != before+2 {
			t.Fatal(fresh, err, g.dev.Stats().Transactions-before)
		}
		var r Reading
		if err := g.dev.Sense(&r); err != nil {
			t.Fatal(err)
		}
		near(t, "what was there when it began", r.Field, was, 0.4e-6)
		if late := r.At.Sub(time.Unix(1000, 0).Add(began)); late < 0 || late > 10*time.Millisecond {
			t.Errorf("measured %v after it began", late)
		}
	}
}

// TestQuickRates: if a rate leaves no time for two polls, each reads a measurement and starts the next.
func TestQuickRates(t *testing.T) {
	for _, o := range []Opts{{Rate: 20}, {Rate: 30, Preset: LowPower}, {Rate: 15, Preset: Enhanced}} {
		g := newRig(t, 8, Addr, true, &o)
		g.until(60)
		for i := range 50 {
			if fresh, err := g.poll(); !fresh || err != nil {
				t.Fatalf("%+v: poll %d: %v, %v", o, i, fresh, err)
			}
		}
	}
}

// TestMissedMeasurementIsRepeated: one that was not read in time is not returned, even if the clock was set back
// meanwhile.
func TestMissedMeasurementIsRepeated(t *testing.T) {
	for _, pause := range []time.Duration{time.Second, time.Hour, -time.Hour} {
		g := newRig(t, 9, Addr, true, nil)
		g.until(60)
		g.poll() // starts one
		g.now += pause
		g.field = [3]float64{50e-6, 0, 0}
		r := g.until(3)
		near(t, "field", r.Field, g.field, 0.4e-6)
		if age := time.Unix(1000, 0).Add(g.now).Sub(r.At); age > 150*time.Millisecond {
			t.Errorf("after %v: a measurement of %v ago", pause, age)
		}
	}
}
