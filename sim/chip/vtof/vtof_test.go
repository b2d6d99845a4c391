// SPDX-License-Identifier: Apache-2.0

package vtof_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vtof"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// TestDemands: each part of the procedure that is left out shows.
func TestDemands(t *testing.T) {
	for seed := range uint64(12) {
		for _, c := range []struct {
			name   string
			skip   func(g *rig)
			status byte
			some   bool // whether there are measurements at all
		}{
			{"nothing left out", func(g *rig) { g.bringUp() }, 11, true},
			{"nothing done", func(*rig) {}, 0, false},
			{"started only", func(g *rig) { g.begin(); g.start(2, g.stop) }, 3, false},
			{"no VHV", func(g *rig) {
				g.begin()
				g.enableSPADs(0)
				g.tune()
				g.calibrate(2, 1)
				g.start(2, g.stop)
			}, 3, true},
			{"no phase", func(g *rig) {
				g.begin()
				g.enableSPADs(0)
				g.tune()
				g.calibrate(1, 0x41)
				g.start(2, g.stop)
			}, 9, true},
			{"other VCSEL period afterwards", func(g *rig) { g.bringUp(); g.w(0x50, 8) }, 9, true},
			{"no SPADs", func(g *rig) {
				g.begin()
				g.tune()
				g.calibrate(1, 0x41)
				g.calibrate(2, 1)
				g.start(2, g.stop)
			}, 4, true},
			{"a SPAD too many", func(g *rig) {
				g.begin()
				g.enableSPADs(1)
				g.tune()
				g.calibrate(1, 0x41)
				g.calibrate(2, 1)
				g.start(2, g.stop)
			}, 4, true},
			{"a tuning register lost", func(g *rig) { g.bringUp(); g.w(0xFF, 1); g.w(0x49, 0); g.w(0xFF, 0) }, 9, true},
			{"wrong stop variable", func(g *rig) { g.bringUp(); g.w(0x00, 1); g.w(0x0B, 1); g.start(2, g.stop+1) }, 0, false},
			{"no final stage", func(g *rig) { g.bringUp(); g.w(0x01, 0x68) }, 0, true},
			{"restarted", func(g *rig) { g.bringUp(); g.Restart() }, 0, false},
		} {
			g := newRig(t, seed)
			c.skip(g)
			status, mm, ok := g.measure()
			if ok {
				status, mm, ok = g.measure() // the first may have been made before
			}
			if ok != c.some || ok && status != c.status || ok && status == 11 && mm != 532 {
				t.Errorf("seed %d, %s: status %d, %d mm, %v; want %d, %v", seed, c.name, status, mm, ok, c.status, c.some)
			}
		}
	}
}

// TestMemoryDemands: the memory answers only when opened, and only the word asked for.
func TestMemoryDemands(t *testing.T) {
	g := newRig(t, 1)
	g.w(0xFF, 7)
	g.w(0x94, 0x6B)
	g.w(0x83, 0)
	if g.wait(0x83, 0xFF) {
		t.Error("the closed memory answers")
	}
	g = newRig(t, 1)
	if answer, ok := g.askSPADs(); !ok || answer&0x7F == 0 {
		t.Errorf("answer %#02x, %v", answer, ok)
	}
}

func TestPages(t *testing.T) {
	g := newRig(t, 1)
	g.w(0x20, 0xAA)
	g.w(0xFF, 1)
	g.w(0x20, 0xBB)
	if got := g.r(0x20, 1)[0]; got != 0xBB {
		t.Errorf("page 1: %#02x", got)
	}
	if got := g.r(0xFF, 1)[0]; got != 1 {
		t.Errorf("page register: %d", got)
	}
	g.w(0xFF, 0)
	if got := g.r(0x20, 1)[0]; got != 0xAA {
		t.Errorf("page 0: %#02x", got)
	}
	g.w(0x30, 1, 2, 3)
	if got := g.r(0x30, 4); [4]byte(got) != [4]byte{1, 2, 3, 0} {
		t.Errorf("the index does not count: % x", got)
	}
	g.w(0xC0, 0x11)
	if got := g.r(0xC0, 3); [3]byte(got) != [3]byte{0xEE, 0xAA, 0x10} {
		t.Errorf("identity % x", got)
	}
}

func TestSoftReset(t *testing.T) {
	g := newRig(t, 1)
	g.bringUp()
	g.w(0xBF, 0)
	if got := g.r(0xC0, 1)[0]; got != 0 {
		t.Errorf("in reset the identity reads %#02x", got)
	}
	g.w(0x01, 0x55)
	g.w(0xBF, 1)
	if got := [2]byte{g.r(0xC0, 1)[0], g.r(0x01, 1)[0]}; got != [2]byte{0xEE, 0xFF} || g.Measuring() {
		t.Errorf("after reset: % x", got)
	}
	g.bringUp()
	if status, _, _ := g.measure(); status != 11 {
		t.Errorf("status %d", status)
	}
}

// TestTiming: a measurement takes the time its registers add up to; a timed one its period.
func TestTiming(t *testing.T) {
	between := func(g *rig) time.Duration {
		g.measure()
		begin := g.now
		g.measure()
		return g.now - begin
	}
	g := newRig(t, 1)
	g.bringUp()
	if d := between(g); d < 32*time.Millisecond || d > 35*time.Millisecond {
		t.Errorf("33 ms budget: %v", d)
	}
	g.w(0x00, 1) // stop
	if g.Measuring() {
		t.Error("not stopped")
	}
	ticks := uint32(binary.BigEndian.Uint16(g.r(0xF8, 2))) * 90
	g.w(binary.BigEndian.AppendUint32([]byte{0x04}, ticks)...)
	g.start(4, g.stop)
	if d := between(g); d < 89*time.Millisecond || d > 91*time.Millisecond {
		t.Errorf("period of 90 ms: %v", d)
	}
}

func TestSingleShot(t *testing.T) {
	g := newRig(t, 1)
	g.bringUp()
	g.w(0x00, 1)
	g.measure()
	g.start(1, g.stop)
	if _, _, ok := g.measure(); !ok {
		t.Error("no single measurement")
	}
	if _, _, ok := g.measure(); ok {
		t.Error("a second one")
	}
}

func TestReach(t *testing.T) {
	for _, c := range []struct {
		limit    uint16
		distance float64
		reflect  float64
		status   byte
	}{
		{32, 1.1, 1, 11}, {32, 1.28, 1, 4}, {13, 1.28, 1, 11}, {13, 1.6, 1, 9}, {13, 2.5, 1, 4},
		{32, 1.1, 0.2, 4}, {32, 0.3, 0.2, 11}, {13, math.Inf(1), 1, 4},
	} {
		g := newRig(t, 1)
		g.bringUp()
		g.w(0x44, byte(c.limit>>8), byte(c.limit))
		g.target = vtof.Target{Distance: c.distance, Reflectance: c.reflect}
		g.measure()
		if status, mm, _ := g.measure(); status != c.status || status != 11 && mm < 8190 {
			t.Errorf("%+v: status %d, %d mm", c, status, mm)
		}
	}
}

// TestGreyTargetReach: ST's data sheet (DS11555, rev. 6, table 12, typical, indoors) has a target of 17 % seen up to
// 0.80 m with the long-range profile, where one of 88 %, which the model is fitted to, is seen up to the profile's end.
func TestGreyTargetReach(t *testing.T) {
	maxDistance := 0.0
	for d := 0.5; d < 1.2; d += 0.01 {
		g := newRig(t, 1)
		g.bringUp()
		g.w(0x44, 0, 13) // 0.1 Mcps
		g.target = vtof.Target{Distance: d, Reflectance: 17. / 88}
		g.measure()
		if status, _, _ := g.measure(); status == 11 {
			maxDistance = d
		}
	}
	if math.Abs(maxDistance-0.8) > 0.05*0.8 {
		t.Errorf("a grey target is seen up to %.2f m, want 0.80 m within 5 %%", maxDistance)
	}
}

// TestNoise: mean and spread are those of the model, and longer measurements spread less.
func TestNoise(t *testing.T) {
	spread := func(final uint16) float64 {
		g := newRig(t, 3)
		g.Chip = vtof.New(vtof.Config{Now: func() time.Duration { return g.now }, Scene: g, Noise: noise.New(3)})
		g.bringUp()
		g.w(0x71, byte(final>>8), byte(final))
		g.start(2, g.stop)
		sum, sq, n := 0.0, 0.0, 2000.0
		for range int(n) {
			_, mm, _ := g.measure()
			sum += float64(mm)
			sq += float64(mm) * float64(mm)
		}
		mean := sum / n
		if math.Abs(mean-531.9) > 0.5 {
			t.Errorf("mean %.2f mm", mean)
		}
		return math.Sqrt(sq/n - mean*mean)
	}
	short, long := spread(0x028A), spread(0x05A0)
	if math.Abs(short-3.72) > 0.3 || long > short*0.6 {
		t.Errorf("standard deviation %.2f mm and %.2f mm", short, long)
	}
}

func TestFaults(t *testing.T) {
	g := newRig(t, 1)
	g.bringUp()
	g.Inject(vtof.Faults{Status: 2})
	g.measure()
	if status, _, _ := g.measure(); status != 2 {
		t.Errorf("status %d", status)
	}
	g.Inject(vtof.Faults{Frozen: true})
	g.measure()
	if _, _, ok := g.measure(); ok {
		t.Error("a frozen chip measures")
	}
	g.Inject(vtof.Faults{Unplugged: true, ID: 0x12})
	if g.Ready() || g.r(0xC0, 1)[0] != 0x12 || g.Faults().ID != 0x12 {
		t.Error("unplugged, or with another identity")
	}
	g.Disturbed()
	if g.Receive(nil) != 0 {
		t.Error("an address probe")
	}
}

func TestResponse(t *testing.T) {
	for _, c := range []struct{ d, mean float64 }{{0, 0.0198}, {-1, 0.0198}, {0.05, 0.0585}, {0.075, 0.08475}, {1.7, 1.7805}, {2, 2}, {4, 4}} {
		if mean, sigma := vtof.Response(c.d); math.Abs(mean-c.mean) > 1e-9 || sigma <= 0 {
			t.Errorf("%g m: %g ± %g, want %g", c.d, mean, sigma, c.mean)
		}
	}
}

// A chip just switched on does not measure.
func ExampleChip() {
	g := newRig(nil, 1)
	g.Receive([]byte{0x00, 0x02})
	g.now += time.Second
	fmt.Printf("ready bits %#02x\n", g.r(0x13, 1)[0])
	// Output: ready bits 0x00
}
