// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// A run of ten seconds in which much happens: driving, bumping, faults,
// calibration, melody, remote, being moved. It returns a hash of all packets and
// errors. Between two commands the robot is looked at so many times.
func tenSeconds(t testing.TB, world string, seed uint64, looks int) string {
	g := newRig(t, world, sim.Options{Seed: seed})
	if err := g.robot.Faults().SetRates(vbus.Rates{NAK: 0.02, Timeout: 0.01, CorruptRead: 0.02, CorruptWrite: 0.02}); err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for i := range 200 {
		g.cmd[4], g.cmd[18] = 0, 0
		switch i {
		case 20:
			g.cmd[18] = 1
		case 50:
			g.cmd[4] = 2
		case 90:
			g.cmd[18] = 4
		case 120:
			_ = g.robot.SendRemote(6)
		case 150:
			g.robot.PickUp()
		case 155:
			_ = g.robot.Place(sim.Pose{X: -0.4, Y: -0.4, Theta: 1})
		case 170:
			_ = g.sim.Move("lamp", sim.Pose{X: -0.3, Y: -0.4})
			_ = g.sim.Move("post", sim.Pose{X: -0.31, Y: -0.4})
		case 180:
			g.robot.Restart()
		}
		err := g.tryExchange(1100-i*7, 900-i*5)
		if err != nil {
			h.Write([]byte(err.Error()))
		} else {
			h.Write(g.reply[:])
		}
		next := g.clock.Now().Truncate(50 * time.Millisecond).Add(50 * time.Millisecond)
		gap := next.Sub(g.clock.Now())
		for k := range looks {
			g.clock.Sleep(gap / time.Duration(looks+1))
			g.robot.GroundTruth()
			if k%3 == 0 {
				g.sim.Elapsed()
			}
		}
		g.clock.Sleep(next.Sub(g.clock.Now()))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// The hash is the same on every processor; a change of it means that recorded
// simulations do not repeat any more, so the change must be meant.
func TestTenSecondsAreAlwaysTheSame(t *testing.T) {
	const want = "8b2decb479145280443703120ee7e5cddf1155bb983bdc2d14eeeca79d32fd32"
	if got := tenSeconds(t, "arena", 1, 0); got != want {
		t.Errorf("ten seconds hash to %s, want %s", got, want)
	}
}

func TestSameSeedSamePackets(t *testing.T) {
	for _, w := range sim.ExampleWorlds() {
		if a, b := tenSeconds(t, w, 5, 0), tenSeconds(t, w, 5, 0); a != b {
			t.Errorf("world %s, seed 5 twice: %s and %s", w, a, b)
		}
	}
}

func TestOtherSeedOtherPackets(t *testing.T) {
	if tenSeconds(t, "arena", 1, 0) == tenSeconds(t, "arena", 2, 0) {
		t.Error("seeds 1 and 2 give the same packets")
	}
}

// How often a program looks changes nothing.
func TestLookingChangesNothing(t *testing.T) {
	a := tenSeconds(t, "arena", 3, 0)
	for _, looks := range []int{1, 7, 50} {
		if b := tenSeconds(t, "arena", 3, looks); a != b {
			t.Errorf("looking %d times between two commands changes the packets", looks)
		}
	}
}

// A robot that stands still is not computed step by step; that must not show.
func TestJumpingOverIdleTimeChangesNothing(t *testing.T) {
	run := func(looks int) (replies [][47]byte) {
		g := newRig(t, "arena", sim.Options{Seed: 9})
		for i := range 20 {
			g.exchange(0, 0)
			replies = append(replies, g.reply)
			if i == 10 {
				g.exchange(300, -300)
			}
			for range looks {
				g.clock.Sleep(777 * time.Millisecond / time.Duration(looks))
				g.robot.Pose()
			}
		}
		return replies
	}
	a, b := run(1), run(777)
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("reply %d:\n% x\n% x", i, a[i], b[i])
		}
	}
}
