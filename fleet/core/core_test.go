// SPDX-License-Identifier: Apache-2.0

package core

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// bench is a core with a clock that advances on request only.
type bench struct {
	*Core
	at   time.Time
	made []time.Duration // the times at which the world saw a control cycle
}

func literature(t testing.TB) armcost.Parameters {
	t.Helper()
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var begin = time.Unix(1000, 0)

const period = 50 * time.Millisecond

func newBench(t testing.TB, p Prices, l armcost.Load) *bench {
	t.Helper()
	b := &bench{at: begin}
	c, err := New(Config{Robot: "r", Prices: p, How: "hand", Parameters: literature(t), Load: l, Now: func() time.Time { return b.at }})
	if err != nil {
		t.Fatal(err)
	}
	b.Core = c
	return b
}

// pass advances time in steps of 10 ms, and calls what happens before each.
func (b *bench) pass(t testing.TB, d time.Duration, happens func()) {
	t.Helper()
	for range d / (10 * time.Millisecond) {
		b.at = b.at.Add(10 * time.Millisecond)
		if happens != nil {
			happens()
		}
		if err := b.Run(period, func() error { b.made = append(b.made, b.at.Sub(begin)); return nil }); err != nil {
			t.Fatal(err)
		}
	}
}

func constant(seconds float64) Prices {
	return Constant(seconds, armcost.Interval{Low: 0.97e9, Likely: 1e9, High: 1e9})
}

// TestConstantCosts: a core keeps its cycles as long as they fit, and makes one each time it is done where they don't,
// however long the steps of the world are. The share is what is charged.
func TestConstantCosts(t *testing.T) {
	for _, c := range []struct {
		name       string
		seconds    float64
		made, lost int
		share      float64
		late       int
	}{
		{"nothing", 0, 200, 0, 0, 0},
		{"a fifth", 0.01, 200, 0, 0.2, 0},
		{"all but nothing", 0.05, 200, 0, 1, 0},
		{"63 of 50 ms, not a multiple of a step", 0.063, 159, 41, 1, 0},
		{"twice", 0.1, 100, 99, 1, 99},
		{"ten times", 0.5, 20, 171, 1, 19},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, constant(c.seconds), armcost.Load{})
			b.pass(t, 10*time.Second-10*time.Millisecond, nil)
			r := b.Report()
			if d := r.Control.Made - c.made; d < -1 || d > 1 {
				t.Errorf("%d cycles, want %d", r.Control.Made, c.made)
			}
			if d := r.Control.Lost - c.lost; d < -1 || d > 1 || r.Control.Late != c.late && r.Control.Late != c.late-1 {
				t.Errorf("%d lost, %d late, want %d and %d", r.Control.Lost, r.Control.Late, c.lost, c.late)
			}
			if math.Abs(r.Share.Likely-c.share) > 0.006 || len(b.made) != r.Control.Made {
				t.Errorf("share %v, want %v; %d cycles seen", r.Share.Likely, c.share, len(b.made))
			}
		})
	}
}

// TestCallbacksWaitForTheirTurn: what comes while the core is busy is done when it is free, in order, and the world
// sees it late.
func TestCallbacksWaitForTheirTurn(t *testing.T) {
	b := newBench(t, constant(0.02), armcost.Load{})
	p := &entity{}
	var order []int
	var when []time.Duration
	b.pass(t, 10*time.Millisecond, func() {
		for i := range 5 {
			b.post(p, b.cfg.Prices.taken, func() {
				order = append(order, i)
				when = append(when, b.at.Sub(begin))
			})
		}
	})
	b.pass(t, 190*time.Millisecond, nil)
	if !slices.IsSorted(order) || len(order) != 5 {
		t.Fatalf("order %v", order)
	}
	// A cycle is due at 0 and takes 20 ms; the callbacks came at 10 ms; the next cycle is due at 50 ms.
	for i, got := range when {
		want := time.Duration(20+20*i) * time.Millisecond
		if got < want || got > want+20*time.Millisecond {
			t.Errorf("callback %d at %v, want about %v", i, got, want)
		}
	}
	if r := b.Report(); r.Callbacks != 5 || r.Dropped != 0 {
		t.Errorf("%+v", r)
	}
}

// TestTooManyWait: a subscription keeps as many as its depth, the latest, and its turns; those of others stay.
func TestTooManyWait(t *testing.T) {
	b := newBench(t, constant(0.01), armcost.Load{})
	few, many := &entity{limit: 2}, &entity{}
	var got []string
	for _, name := range []string{"a", "b", "c", "d"} {
		b.post(few, armcost.Interval{}, func() { got = append(got, "few "+name) })
		b.post(many, armcost.Interval{}, func() { got = append(got, "many "+name) })
	}
	b.pass(t, time.Second, nil)
	want := []string{"few c", "many a", "few d", "many b", "many c", "many d"}
	if !slices.Equal(got, want) || b.Report().Dropped != 2 {
		t.Errorf("%v, %d dropped", got, b.Report().Dropped)
	}
}

// TestFloodIsHeard: of messages that come faster than there is time some are heard, however busy the core is.
func TestFloodIsHeard(t *testing.T) {
	b := newBench(t, constant(0.2), armcost.Load{})
	p := &entity{limit: 1}
	heard, latest, sent := 0, 0, 0
	b.pass(t, 10*time.Second, func() {
		sent++
		n := sent
		b.post(p, b.cfg.Prices.taken, func() { heard, latest = heard+1, n })
	})
	r := b.Report()
	if heard < 20 || latest < sent-50 || r.Control.Made < 20 || r.Callbacks != heard {
		t.Errorf("%d of %d heard, the last was %d; %+v", heard, sent, latest, r)
	}
}

// TestClosedPlaces: nothing of a subscription is called once it is closed.
func TestClosedPlaces(t *testing.T) {
	b := newBench(t, constant(0.01), armcost.Load{})
	p := &entity{}
	b.post(p, armcost.Interval{}, func() { t.Error("called") })
	p.close()
	b.pass(t, time.Second, nil)
}

// TestMeeting: participants that come take their time, and what waits is late by that.
func TestMeeting(t *testing.T) {
	prices := constant(0.001)
	prices.peer = armcost.Interval{Low: 30e6, Likely: 40e6, High: 60e6}
	b := newBench(t, prices, armcost.Load{})
	b.pass(t, 100*time.Millisecond, nil)
	b.Meet(3)
	if b.Free() {
		t.Error("free with 120 ms of work")
	}
	b.pass(t, 400*time.Millisecond, nil)
	r := b.Report()
	if r.Control.Gap < 120*time.Millisecond || r.Control.Gap > 135*time.Millisecond || r.Control.Lost != 1 || !b.Free() {
		t.Errorf("%+v", r.Control)
	}
}

// TestErrorsOfCycles: what fails in the middle is reported, and the rest is done.
func TestErrorsOfCycles(t *testing.T) {
	b := newBench(t, constant(0.001), armcost.Load{})
	fails := errors.New("fails")
	b.at = b.at.Add(time.Second)
	if err := b.Run(period, func() error { return fails }); !errors.Is(err, fails) {
		t.Errorf("%v", err)
	}
	if r := b.Report(); r.Control.Made == 0 {
		t.Error("no cycle")
	}
}

// TestShareNeverExceedsTheCore: whatever is charged, at whatever times, the likely share is that of time that has
// passed, and the battery's account is what the energy says.
func TestShareNeverExceedsTheCore(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t, constant(rapid.Float64Range(0, 0.2).Draw(rt, "seconds")), armcost.Load{Radio: true})
		p := &entity{limit: 4}
		paid := 0.0
		last := time.Duration(0)
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 5), 1, 60).Draw(rt, "callbacks") {
			b.pass(t, 10*time.Millisecond, func() {
				for range n {
					b.post(p, b.cfg.Prices.taken, func() {})
				}
			})
			if current, ok := b.Current(); ok {
				now := b.at.Sub(begin)
				paid += current * CellVoltage * (now - last).Seconds()
				last = now
			}
		}
		r := b.Report()
		if r.Share.Likely > 1.0000001 || r.Share.Likely < 0 {
			rt.Fatalf("share %v", r.Share)
		}
		rest := b.cfg.Parameters.Parameters["power_idle"].Likely * r.For.Seconds()
		if math.Abs(paid-(r.Board.Likely-rest)) > 1e-6 {
			rt.Fatalf("paid %g J of %g", paid, r.Board.Likely-rest)
		}
		if _, ok := b.Current(); ok {
			rt.Fatal("a current while no time passed")
		}
	})
}

func TestConfigLacks(t *testing.T) {
	now := func() time.Time { return begin }
	for _, cfg := range []Config{{Parameters: literature(t)}, {Now: now}} {
		if c, err := New(cfg); !errors.Is(err, errConfig) || c != nil {
			t.Errorf("%v", err)
		}
	}
}
