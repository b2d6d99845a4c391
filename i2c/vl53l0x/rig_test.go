// SPDX-License-Identifier: Apache-2.0

package vl53l0x

import (
	"errors"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// rig is a driver, a bus, a virtual chip in front of a wall, and a clock that advances with the bytes on the bus and
// per cycle.
type rig struct {
	t     testing.TB
	now   time.Duration
	busy  func() time.Duration // delay of the driver at each transfer; nil: none
	wall  vtof.Target
	bus   *vbus.Bus
	chip  *vtof.Chip
	dev   *Dev
	most  uint64 // maximum transactions of a Poll
	polls int
	errs  []error
}

func (g *rig) Target() vtof.Target { return g.wall }

func newRig(t testing.TB, seed uint64, opts *Opts) *rig {
	t.Helper()
	g := &rig{t: t, wall: vtof.Target{Distance: 0.3, Reflectance: 0.9, Ambient: 0.5}}
	g.bus = vbus.New(vbus.Config{Seed: seed, Sleep: func(d time.Duration) {
		if g.now += d; g.busy != nil {
			g.now += g.busy()
		}
	}})
	g.chip = vtof.New(vtof.Config{Now: func() time.Duration { return g.now }, Scene: g, Noise: noise.New(seed)})
	if err := g.bus.Attach(Addr, g.chip); err != nil {
		t.Fatal(err)
	}
	dev, err := New(g.bus, 0, opts)
	if err != nil {
		t.Fatal(err)
	}
	g.dev = dev
	return g
}

func (g *rig) time() time.Time { return time.Unix(1000, 0).Add(g.now) }

// poll is one Poll, and 50 ms until the next.
func (g *rig) poll() (bool, error) {
	before, start := g.dev.Stats().Transactions, g.now
	fresh, err := g.dev.Poll(g.time())
	g.most = max(g.most, g.dev.Stats().Transactions-before)
	g.polls++
	if err != nil {
		g.errs = append(g.errs, err)
		g.errs = g.errs[max(0, len(g.errs)-5):] // enough for a message
	}
	g.now = start + 50*time.Millisecond
	return fresh, err
}

// until polls, at most n times, until a measurement arrives.
func (g *rig) until(n int) Reading {
	g.t.Helper()
	for range n {
		fresh, _ := g.poll()
		if fresh {
			var r Reading
			if err := g.dev.Sense(&r); err != nil {
				g.t.Fatal(err)
			}
			return r
		}
	}
	g.t.Fatalf("no measurement in %d polls; state %v, errors %v", n, g.dev.State(), g.errs)
	return Reading{}
}

// wantErr polls at most n times until an error matches.
func (g *rig) wantErr(n int, target error) {
	g.t.Helper()
	for range n {
		if _, err := g.poll(); errors.Is(err, target) {
			return
		}
	}
	g.t.Fatalf("no %v in %d polls; state %v, errors %v", target, n, g.dev.State(), g.errs)
}

func (g *rig) wantState(s device.State) {
	g.t.Helper()
	if g.dev.State() != s {
		g.t.Fatalf("state %v, want %v; errors %v", g.dev.State(), s, g.errs)
	}
}
