// SPDX-License-Identifier: Apache-2.0

package firmware_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// poll is one read of one chip.
type poll struct {
	addr uint16
	w    []byte
	r    []byte
}

// cycle is what a driver reads each time besides the processor: distance,
// acceleration and rotation, floor, magnetic field.
func cycle() []poll {
	return []poll{
		{0x29, []byte{0x14}, make([]byte, 12)},
		{0x68, []byte{0x3B}, make([]byte, 14)},
		{0x60, []byte{0x00}, make([]byte, 12)},
		{0x0C, []byte{0x02}, make([]byte, 8)},
	}
}

// wake sets the chips of an MPU-9250 robot measuring.
func (g *rig) wake() {
	g.t.Helper()
	g.tof().read()
	for _, p := range []poll{
		{0x68, []byte{0x6B, 1}, nil}, {0x68, []byte{0x1A, 3}, nil}, {0x68, []byte{0x19, 4}, nil},
		{0x68, []byte{0x37, 2}, nil}, {0x0C, []byte{0x0A, 0x16}, nil},
	} {
		if err := g.robot.Bus().Tx(p.addr, p.w, p.r); err != nil {
			g.t.Fatal(err)
		}
	}
}

// allChips drives five seconds with all chips read and many events, and
// returns a hash of everything read and of the truth at the end. Between two
// cycles the robot is looked at so many times.
func allChips(t testing.TB, name string, seed uint64, looks int) string {
	g := newRig(t, name, sim.Options{Seed: seed})
	g.wake()
	for addr, rate := range map[uint16]float64{0x29: 0.02, 0x68: 0.03, 0x60: 0.04} {
		if err := g.robot.Bus().FaultsAt(addr).SetRates(vbus.Rates{NAK: rate, CorruptRead: rate}); err != nil {
			t.Fatal(err)
		}
	}
	h := sha256.New()
	polls := cycle()
	for i := range 250 {
		switch i {
		case 50:
			_ = g.robot.Tilt(0.1, -0.2)
		case 80:
			_ = g.robot.RemovePart(world.Ground)
			g.robot.SetCharger(true)
		case 120:
			_ = g.robot.AddPart(world.Ground)
		case 150:
			g.robot.PickUp()
		case 160:
			_ = g.robot.Place(sim.Pose{X: -0.1, Y: 0.02, Theta: 2})
		}
		_ = g.tryExchange(900-i*6, 500+i)
		for _, p := range polls {
			if err := g.robot.Bus().Tx(p.addr, p.w, p.r); err != nil {
				h.Write([]byte(err.Error()))
			} else {
				h.Write(p.r)
			}
		}
		next := g.clock.Now().Truncate(20 * time.Millisecond).Add(20 * time.Millisecond)
		gap := next.Sub(g.clock.Now())
		for range looks {
			g.clock.Sleep(gap / time.Duration(looks+1))
			g.robot.GroundTruth()
		}
		g.clock.Sleep(next.Sub(g.clock.Now()))
	}
	truth, err := json.Marshal(g.robot.GroundTruth())
	if err != nil {
		t.Fatal(err)
	}
	h.Write(truth)
	return hex.EncodeToString(h.Sum(nil))
}

func TestAllChipsRepeat(t *testing.T) {
	for _, w := range []string{"arena", "line", "track"} {
		a := allChips(t, w, 5, 0)
		for _, looks := range []int{0, 3, 20} {
			if b := allChips(t, w, 5, looks); a != b {
				t.Errorf("%s: seed 5 again, looking %d times between: %s and %s", w, looks, a, b)
			}
		}
		if allChips(t, w, 6, 0) == a {
			t.Errorf("%s: seeds 5 and 6 give the same", w)
		}
	}
}

// A cycle with all chips costs no memory.
func TestCycleDoesNotAllocate(t *testing.T) {
	g := newRig(t, "line", sim.Options{})
	g.wake()
	polls := cycle()
	n := testing.AllocsPerRun(200, func() {
		g.exchange(300, 320)
		for _, p := range polls {
			if err := g.robot.Bus().Tx(p.addr, p.w, p.r); err != nil {
				t.Fatal(err)
			}
		}
		g.clock.Sleep(20 * time.Millisecond)
	})
	if n != 0 {
		t.Errorf("%v allocations per cycle", n)
	}
}
