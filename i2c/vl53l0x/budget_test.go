// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// TestMeasurementTime compares the timing registers as calculated by the driver from a budget and as interpreted by the
// virtual chip. A measurement takes its budget, or a timed one its period.
func TestMeasurementTime(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := Opts{
			Profile:      Profile(rapid.IntRange(0, int(numProfiles)-1).Draw(rt, "profile")),
			TimingBudget: time.Duration(rapid.IntRange(20, 150).Draw(rt, "budget")) * time.Millisecond,
		}
		if rapid.Bool().Draw(rt, "timed") {
			o.Period = o.TimingBudget + time.Duration(rapid.IntRange(5, 60).Draw(rt, "pause"))*time.Millisecond
		}
		g := newRig(t, rapid.Uint64Range(0, 20).Draw(rt, "seed"), &o)
		// Transfers take no time here, and polls are so dense that a measurement is seen when it is there.
		g.bus = vbus.New(vbus.Config{})
		if err := g.bus.Attach(Addr, g.chip); err != nil {
			rt.Fatal(err)
		}
		dev, err := New(g.bus, 0, &o)
		if err != nil {
			rt.Fatal(err)
		}
		var seen []time.Duration
		for step := 0; step < 20000 && len(seen) < 5; step++ {
			g.now += time.Millisecond
			if dev.State() != device.Running {
				g.now += 20 * time.Millisecond
			}
			fresh, err := dev.Poll(g.time())
			if err != nil {
				rt.Fatal(err)
			}
			if fresh {
				seen = append(seen, g.now)
			}
		}
		if len(seen) < 5 {
			rt.Fatalf("%d measurements; %v", len(seen), dev.State())
		}
		mean := float64(seen[4]-seen[1]) / 3
		want := float64(dev.period())
		if math.Abs(mean-want) > 0.02*want+1e6 {
			rt.Errorf("%+v: a measurement every %v, want %v", o, time.Duration(mean), dev.period())
		}
	})
}

// TestBudgetOfTransactions: with every budget the bring-up makes the same transactions, in the required number of
// Polls.
func TestBudgetOfTransactions(t *testing.T) {
	var total uint64
	for _, budget := range []int{4, 5, 8, 13, 100, 1000} {
		g := newRig(t, 3, &Opts{Opts: device.Opts{Budget: budget}})
		for g.dev.State() != device.Running {
			if _, err := g.poll(); err != nil {
				t.Fatal(err)
			}
		}
		n := g.dev.Stats().Transactions
		if total == 0 {
			total = n
		}
		// The waits for the reference calibrations end with a Poll, so their number differs by a few.
		if n < total-8 || n > total+8 || g.most > uint64(budget) {
			t.Errorf("budget %d: %d transactions, %d at most in a Poll; with 4 %d", budget, n, g.most, total)
		}
	}
	if total < 150 || total > 220 {
		t.Errorf("a bring-up takes %d transactions, the documentation says about 190", total)
	}
}

// TestDue: before Due a Poll makes no transaction, from then on it does.
func TestDue(t *testing.T) {
	g := newRig(t, 4, nil)
	g.until(60)
	before := g.bus.Faults().Transfers()
	due := g.dev.Next()
	if _, err := g.dev.Poll(due.Add(-time.Nanosecond)); err != nil || g.bus.Faults().Transfers() != before {
		t.Errorf("%d transfers before it is due, %v", g.bus.Faults().Transfers()-before, err)
	}
	g.now = due.Sub(time.Unix(1000, 0)) + time.Microsecond
	if _, err := g.dev.Poll(g.time()); err != nil || g.bus.Faults().Transfers() == before {
		t.Errorf("no transfer when it is due, %v", err)
	}
}

// TestLostAcknowledge: a measurement whose acknowledge fails is returned once, not twice.
func TestLostAcknowledge(t *testing.T) {
	g := newRig(t, 5, nil)
	g.until(60)
	before := g.dev.Stats().Readings
	if err := g.bus.Faults().Next(vbus.Fault{}, vbus.Fault{}, vbus.Fault{Kind: vbus.NAK}); err != nil {
		t.Fatal(err)
	}
	fresh, err := g.poll()
	if !fresh || err == nil {
		t.Errorf("fresh %v, error %v", fresh, err)
	}
	g.now -= 49 * time.Millisecond // at once
	g.wall = vtof.Target{Distance: 1, Reflectance: 0.9}
	if fresh, err := g.poll(); fresh || err != nil {
		t.Errorf("the same measurement again: %v, %v", fresh, err)
	}
	if r := g.until(2); math.Abs(r.Distance-1.05) > 0.1 || g.dev.Stats().Readings != before+2 {
		t.Errorf("%+v after %d readings", r, g.dev.Stats().Readings-before)
	}
}
