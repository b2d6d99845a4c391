// SPDX-License-Identifier: Apache-2.0

package vmag_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmag"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// rig is a chip in a field, and its clock.
type rig struct {
	*vmag.Chip
	now         time.Duration
	field       [3]float64
	temperature float64
}

func (g *rig) Field() ([3]float64, float64) { return g.field, g.temperature }

func newRig(seed uint64, perfect bool) *rig {
	g := &rig{temperature: 25}
	g.Chip = vmag.New(vmag.Config{Now: func() time.Duration { return g.now }, World: g, Noise: noise.New(seed), Perfect: perfect})
	return g
}

func (g *rig) w(b ...byte) { g.Receive(b) }

func (g *rig) r(reg byte, n int) []byte {
	g.Receive([]byte{reg})
	b := make([]byte, n)
	g.Transmit(b)
	return b
}

// run wakes the chip and lets it measure at 10 Hz.
func (g *rig) run() {
	g.w(0x4B, 1)
	g.w(0x51, 4, 14)
	g.w(0x4C, 0)
}

// data waits for a measurement and returns its counts.
func (g *rig) data() (x, y, z, hall int, ok bool) {
	for range 300 {
		b := g.r(0x42, 8)
		w := func(i int) int { return int(int16(binary.LittleEndian.Uint16(b[i:]))) }
		if b[6]&1 != 0 {
			return w(0) >> 3, w(2) >> 3, w(4) >> 1, int(binary.LittleEndian.Uint16(b[6:]) >> 2), true
		}
		g.now += 10 * time.Millisecond
	}
	return 0, 0, 0, 0, false
}

func TestPower(t *testing.T) {
	g := newRig(1, true)
	if got := g.r(0x40, 1)[0]; got != 0 {
		t.Errorf("suspended, the identity reads %#02x", got)
	}
	g.w(0x51, 4)
	g.w(0x4B, 1)
	if got := [3]byte{g.r(0x40, 1)[0], g.r(0x4C, 1)[0], g.r(0x51, 1)[0]}; got != [3]byte{0x32, 0x06, 0} {
		t.Errorf("awake: % x", got)
	}
	if _, _, _, _, ok := g.data(); ok {
		t.Error("measures while it sleeps")
	}
	g.run()
	if _, _, _, _, ok := g.data(); !ok {
		t.Error("does not measure")
	}
	g.w(0x4B, 0)
	if got := g.r(0x40, 0x20); slices.Max(got) != 0 {
		t.Errorf("suspended: % x", got)
	}
	g.run()
	g.Restart()
	if g.r(0x4B, 1)[0] != 0 || g.Receive(nil) != 0 {
		t.Error("power-on")
	}
	g.Disturbed()
}

// TestRates: each code has its rate.
func TestRates(t *testing.T) {
	for code, hz := range []int{10, 2, 6, 8, 15, 20, 25, 30} {
		g := newRig(1, true)
		g.run()
		g.w(0x4C, byte(code)<<3)
		n := 0
		for range 5000 {
			g.now += time.Millisecond
			n += int(g.r(0x48, 1)[0] & 1)
		}
		if n < 5*hz-1 || n > 5*hz+1 {
			t.Errorf("code %d: %d measurements in 5 s, want %d", code, n, 5*hz)
		}
	}
}

// TestCounts: in proportion to the field, shifted and scaled by the trim, lowest value beyond the range.
func TestCounts(t *testing.T) {
	for seed := range uint64(5) {
		g := newRig(seed, true)
		g.run()
		x0, y0, z0, hall, _ := g.data()
		g.field = [3]float64{300e-6, -300e-6, 300e-6}
		g.data()
		x, y, z, _, _ := g.data()
		// About 0.36 µT and 0.37 µT per count.
		for _, c := range [][2]int{{x - x0, 830}, {y - y0, -830}, {z - z0, 820}} {
			if r := float64(c[0]) / float64(c[1]); math.Abs(r-1) > 0.12 {
				t.Errorf("seed %d: %d counts for 300 µT, about %d expected", seed, c[0], c[1])
			}
		}
		if hall < 6400 || hall > 7200 {
			t.Errorf("Hall resistance %d", hall)
		}
		g.temperature = 45
		g.data()
		if _, _, _, warm, _ := g.data(); warm <= hall {
			t.Errorf("Hall resistance %d at 25 °C and %d at 45 °C", hall, warm)
		}
		g.field = [3]float64{5e-3, -5e-3, 20e-3}
		g.data()
		if x, y, z, _, _ := g.data(); x != -4096 || y != -4096 || z != -16384 {
			t.Errorf("beyond the range: %d, %d, %d", x, y, z)
		}
		g.w(0x4E, 0x38)
		g.data()
		if x, y, z, _, _ := g.data(); x != 0 || y != 0 || z != 0 {
			t.Errorf("axes off: %d, %d, %d", x, y, z)
		}
	}
}

// TestNoise falls with the repetitions.
func TestNoise(t *testing.T) {
	sigma := func(xy byte) float64 {
		g := newRig(2, false)
		g.run()
		g.w(0x51, xy)
		var sum, sq float64
		for range 1000 {
			x, _, _, _, _ := g.data()
			sum, sq = sum+float64(x), sq+float64(x*x)
		}
		return math.Sqrt(sq/1000 - sum*sum/1e6)
	}
	few, many := sigma(1), sigma(0x17)
	if few < 2*many || few < 1.5 || few > 4 {
		t.Errorf("standard deviations %.2f and %.2f counts", few, many)
	}
}

func TestFaults(t *testing.T) {
	g := newRig(1, true)
	g.run()
	g.Inject(vmag.Faults{Frozen: true, ID: 0x12, NoTrim: true})
	if _, _, _, _, ok := g.data(); ok || g.r(0x40, 1)[0] != 0x12 || slices.Max(g.r(0x5D, 21)) != 0 {
		t.Error("frozen, other identity, no trim")
	}
	g.Inject(vmag.Faults{Unplugged: true})
	if g.Ready() {
		t.Error("answers unplugged")
	}
}

// A suspended chip does not even return its identity.
func ExampleChip() {
	g := newRig(1, true)
	fmt.Printf("%#02x\n", g.r(0x40, 1)[0])
	g.w(0x4B, 0x01)
	fmt.Printf("%#02x\n", g.r(0x40, 1)[0])
	// Output:
	// 0x00
	// 0x32
}
