// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// TestBringUp: with every profile, chip and budget the chip measures the wall within its noise, and no Poll makes more
// transactions than allowed.
func TestBringUp(t *testing.T) {
	for _, o := range []Opts{
		{}, {Profile: Standard}, {Profile: HighAccuracy}, {Profile: HighSpeed}, {TimingBudget: 60 * time.Millisecond},
		{Period: 100 * time.Millisecond}, {Opts: device.Opts{Budget: 4}}, {Opts: device.Opts{Budget: 500}},
		{Profile: Standard, Period: time.Second},
	} {
		for seed := range uint64(6) {
			g := newRig(t, seed, &o)
			r := g.until(400)
			mean, sigma := vtof.Response(0.3)
			if d := math.Abs(r.Distance - mean); r.Status != statusValid || d > 7*sigma+0.001 {
				t.Errorf("%+v seed %d: %+v, want %.3f ± %.4f m", o, seed, r, mean, sigma)
			}
			budget := o.Budget
			if budget == 0 {
				budget = 8
			}
			if g.most > uint64(budget) {
				t.Errorf("%+v: %d transactions in a Poll", o, g.most)
			}
			if len(g.errs) != 0 || g.dev.Stats().Starts != 1 {
				t.Errorf("%+v seed %d: errors %v, %+v", o, seed, g.errs, g.dev.Stats())
			}
		}
	}
}

// TestDistances: far, near, beyond range, and the results of the profiles.
func TestDistances(t *testing.T) {
	for _, c := range []struct {
		profile  Profile
		distance float64
		reflect  float64
		far      bool
	}{
		{LongRange, 0.05, 0.9, false}, {LongRange, 1.5, 0.9, false}, {Standard, 1.0, 0.9, false}, {HighSpeed, 0.5, 0.9, false},
		{LongRange, 2.5, 0.9, true}, {Standard, 1.5, 0.9, true}, {LongRange, 1.5, 0.1, true}, {LongRange, math.Inf(1), 1, true},
	} {
		g := newRig(t, 1, &Opts{Profile: c.profile})
		g.wall = vtof.Target{Distance: c.distance, Reflectance: c.reflect}
		r := g.until(60)
		mean, sigma := vtof.Response(c.distance)
		if c.far != math.IsInf(r.Distance, 1) || !c.far && math.Abs(r.Distance-mean) > 7*sigma+0.001 {
			t.Errorf("%+v: %+v", c, r)
		}
	}
}

// TestFaultsDuringBringUp: each transaction of the bring-up fails once, in each way; the chip runs nevertheless.
func TestFaultsDuringBringUp(t *testing.T) {
	clean := newRig(t, 2, nil)
	clean.until(60)
	total := int(clean.bus.Faults().Transfers())
	for _, kind := range []vbus.Kind{vbus.NAK, vbus.Timeout, vbus.DataNAK, vbus.ReadTimeout} {
		for n := 0; n < total; n += 11 {
			g := newRig(t, 2, nil)
			if err := g.bus.Faults().At(uint64(n), vbus.Fault{Kind: kind}); err != nil {
				t.Fatal(err)
			}
			if r := g.until(120); r.Status != statusValid {
				t.Errorf("%v of transfer %d: %+v", kind, n, r)
			}
			if len(g.errs) > 1 || len(g.errs) == 1 && !errors.Is(g.errs[0], i2c.ErrBus) {
				t.Errorf("%v of transfer %d: errors %v", kind, n, g.errs)
			}
		}
	}
}

// TestResetDuringBringUp: a restart of the chip during its bring-up is detected and corrected, never reported as free
// space.
func TestResetDuringBringUp(t *testing.T) {
	clean := newRig(t, 3, nil)
	clean.until(60)
	for n := uint64(0); n < clean.bus.Faults().Transfers()-4; n += 5 {
		g := newRig(t, 3, nil)
		if err := g.bus.Faults().At(n, vbus.Fault{Kind: vbus.Restart}); err != nil {
			t.Fatal(err)
		}
		if r := g.until(200); r.Status != statusValid {
			t.Errorf("restart at transfer %d: %+v, errors %v", n, r, g.errs)
		}
	}
}

func TestReset(t *testing.T) {
	g := newRig(t, 4, nil)
	g.until(60)
	g.chip.Restart()
	g.wantErr(10, device.ErrReset)
	var r Reading
	if err := g.dev.Sense(&r); !errors.Is(err, device.ErrNoReading) {
		t.Errorf("a reading of a chip that was reset: %v", err)
	}
	g.until(80)
	if s := g.dev.Stats(); s.Starts != 2 || s.Losses != 1 {
		t.Errorf("%+v", s)
	}
}

func TestFrozen(t *testing.T) {
	g := newRig(t, 5, nil)
	g.until(60)
	g.chip.Inject(vtof.Faults{Frozen: true})
	g.wantErr(20, device.ErrFrozen)
	g.wantErr(200, device.ErrTimeout) // nor do the reference calibrations end
	g.wantState(device.Absent)
	g.chip.Inject(vtof.Faults{})
	g.until(120)
}

func TestWrongIdentity(t *testing.T) {
	g := newRig(t, 7, nil)
	g.chip.Inject(vtof.Faults{ID: 0x44})
	g.wantErr(3, device.ErrIdentity)
	g.wantState(device.Absent)
	if g.bus.Faults().Transfers() > 4 {
		t.Errorf("%d transfers with a chip that is another", g.bus.Faults().Transfers())
	}
}

// TestHardwareFault: a fault of the laser is an error and not a distance.
func TestHardwareFault(t *testing.T) {
	for status, want := range map[byte]error{1: errHardware, 2: errHardware, 3: errHardware, 5: errNoUpdate, 15: errNoUpdate} {
		g := newRig(t, 8, nil)
		g.chip.Inject(vtof.Faults{Status: status})
		g.wantErr(60, want)
		var r Reading
		if err := g.dev.Sense(&r); !errors.Is(err, device.ErrNoReading) {
			t.Errorf("status %d: %+v, %v", status, r, err)
		}
		g.chip.Inject(vtof.Faults{})
		if r := g.until(3); r.Status != statusValid || g.dev.Stats().Rejected == 0 {
			t.Errorf("after status %d: %+v", status, r)
		}
	}
}

func TestHalt(t *testing.T) {
	g := newRig(t, 10, nil)
	if err := g.dev.Halt(); err != nil || g.bus.Faults().Transfers() != 0 {
		t.Errorf("Halt of a chip never seen: %v", err)
	}
	g.until(60)
	if !g.chip.Measuring() {
		t.Error("not measuring")
	}
	if err := g.dev.Halt(); err != nil || g.chip.Measuring() {
		t.Errorf("Halt: %v, measuring %v", err, g.chip.Measuring())
	}
	var r Reading
	if err := g.dev.Sense(&r); !errors.Is(err, device.ErrHalted) {
		t.Error(err)
	}
	if r := g.until(60); r.Status != statusValid {
		t.Errorf("after Halt: %+v", r)
	}
}

// TestSteadyStateDoesNotAllocate: neither a measurement nor a Poll without one.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	g := newRig(t, 11, nil)
	g.until(60)
	var r Reading
	if n := testing.AllocsPerRun(200, func() {
		if fresh, err := g.poll(); !fresh || err != nil || g.dev.Sense(&r) != nil {
			t.Fatal(fresh, err)
		}
		g.now -= 40 * time.Millisecond
		if fresh, err := g.dev.Poll(g.time()); fresh || err != nil {
			t.Fatal(fresh, err)
		}
		g.now += 40 * time.Millisecond
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
