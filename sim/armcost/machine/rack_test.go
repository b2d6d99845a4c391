// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// wire is a bus whose transfers take the time that their first byte says, in 0.1 ms, and that remembers when they were.
type wire struct {
	rack  *Rack
	times *[]time.Duration // of begins and ends on all wires
	begun []time.Duration
}

func (w *wire) Tx(_ uint16, out, _ []byte) error {
	at := w.rack.Now().Sub(w.rack.start)
	w.begun = append(w.begun, at)
	w.rack.Sleep(time.Duration(out[0]) * 100 * time.Microsecond)
	*w.times = append(*w.times, at, w.rack.Now().Sub(w.rack.start))
	return nil
}

// bare is a rack with machines that have no programs.
func bare(t interface{ Fatal(...any) }, machines, workers int) *Rack {
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	r := NewRack(time.Unix(1_000_000_000, 0), workers)
	for range machines {
		if _, err := r.Add(Config{Parameters: p}); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// TestTransfers: each begins when its program wants it or when the one before it on its bus ends, takes its time, and
// the world's clock is not set back, whatever other machines do.
func TestTransfers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		machines := rapid.IntRange(1, 3).Draw(rt, "machines")
		r := bare(rt, machines, rapid.IntRange(1, 2).Draw(rt, "workers"))
		var times []time.Duration
		var wires []*wire
		var want [][]time.Duration
		for i, m := range r.machines {
			buses := []*bus{}
			free := []time.Duration{0, 0}
			for range 2 {
				wires = append(wires, &wire{rack: r, times: &times})
				buses = append(buses, &bus{to: wires[len(wires)-1]})
				want = append(want, nil)
			}
			at := time.Duration(0)
			for range rapid.IntRange(0, 5).Draw(rt, "transfers") {
				at += time.Duration(rapid.IntRange(0, 40).Draw(rt, "after")) * 100 * time.Microsecond
				b := rapid.IntRange(0, 1).Draw(rt, "bus")
				takes := rapid.ByteRange(0, 30).Draw(rt, "takes")
				m.requests = append(m.requests, &request{
					m: m, t: &thread{}, bus: buses[b], at: m.ticks(at), messages: []message{{bytes: []byte{takes}}},
				})
				begin := max(at, free[b])
				free[b] = begin + time.Duration(takes)*100*time.Microsecond
				want[2*i+b] = append(want[2*i+b], begin)
			}
		}
		if err := r.Advance(context.Background(), 60*time.Millisecond); err != nil {
			rt.Fatal(err)
		}
		for i, w := range wires {
			if !slices.Equal(w.begun, want[i]) {
				rt.Fatalf("wire %d: begun at %v, want %v", i, w.begun, want[i])
			}
		}
		ends := []time.Duration{}
		for i := 1; i < len(times); i += 2 {
			ends = append(ends, times[i])
		}
		if !slices.IsSorted(ends) {
			rt.Fatalf("ends at %v", ends)
		}
		for _, m := range r.machines {
			if r.Now() != r.start.Add(60*time.Millisecond) || m.now() != m.ticks(60*time.Millisecond) {
				rt.Fatalf("the world's time is %v, the machine's %d", r.Now(), m.now())
			}
		}
		if err := r.Close(); err != nil {
			rt.Fatal(err)
		}
	})
}

// TestClosedAsleep: closing a rack ends transfers that sleep, and leaves no goroutine; what is slept outside of a
// transfer takes no time.
func TestClosedAsleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := bare(t, 1, 1)
		r.Sleep(time.Hour)
		m := r.machines[0]
		w := &wire{rack: r, times: new([]time.Duration)}
		m.requests = []*request{{m: m, t: &thread{}, bus: &bus{to: w}, messages: []message{{bytes: []byte{200}}}}}
		if err := r.Advance(t.Context(), 5*time.Millisecond); err != nil || len(r.asleep) != 1 || len(*w.times) != 0 {
			t.Errorf("%v, %d asleep, %v", err, len(r.asleep), *w.times)
		}
		if err := r.Close(); err != nil || len(*w.times) != 2 || m.Running() {
			t.Errorf("%v, ended: %v", err, *w.times)
		}
	})
}

// TestConfigurations that lack something are refused.
func TestConfigurations(t *testing.T) {
	p, err := armcost.Literature()
	if err != nil {
		t.Fatal(err)
	}
	for i, cfg := range []Config{{}, {Parameters: p, Buses: map[int]Bus{1: &wire{}}}} {
		r := NewRack(time.Unix(0, 0), 0)
		if m, err := r.Add(cfg); !errors.Is(err, errConfig) || m != nil {
			t.Errorf("%s: %v", fmt.Sprint(i), err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}
