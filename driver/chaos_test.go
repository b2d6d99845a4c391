// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// The same with every part of the robot, each of which fails, disappears and returns at random. No control cycle is
// skipped, and at the end all parts are present.
func TestChaosWithAllParts(t *testing.T) {
	for seed := range uint64(12) {
		if !suite.Long && seed > 0 {
			break
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, rigOptions{world: "arena", parts: true, board: true, sim: sim.Options{Seed: seed, Now: time.Now, Sleep: pass}})
				subscribeAll(r)
				odom := listenTo[nav_msgs.Odometry](r, "odom")
				rng := rand.New(rand.NewPCG(seed, 3))
				for range 100 {
					r.somethingHappensToAPart(rng)
					r.command(0.2*rng.Float64()-0.1, 4*rng.Float64()-2)
					time.Sleep(time.Duration(rng.IntN(500)) * time.Millisecond)
				}
				s := r.driver.Status()
				if s.Overruns != 0 || s.Bus.Failed != 0 || s.Lost {
					t.Errorf("the control cycle was disturbed: %d left out, %d exchanges failed", s.Overruns, s.Bus.Failed)
				}
				wantSmooth(t, odom())
				for _, part := range world.Parts() {
					r.must(r.robot.AddPart(part))
				}
				for addr := range uint16(0x78) {
					r.must(r.robot.Bus().FaultsAt(addr).SetRates(vbus.Rates{}))
					r.must(r.robot.BoardBus().FaultsAt(addr).SetRates(vbus.Rates{}))
				}
				time.Sleep(20 * time.Second)
				for _, p := range r.driver.Status().Parts {
					if p.State != device.Running {
						t.Errorf("%s is %v in the end: %v", p.Name, p.State, p.LastErr)
					}
				}
				r.must(r.end())
				r.wantAtRest()
			})
		})
	}
}

// somethingHappensToAPart takes a part off, puts it on, or makes a chip fail for a while.
func (r *rig) somethingHappensToAPart(rng *rand.Rand) {
	r.Helper()
	part := world.Parts()[rng.IntN(len(world.Parts()))]
	addrs := []uint16{0x29, 0x60, 0x68, 0x0C, 0x21, 0x6E}
	bus, addr := r.robot.Bus(), addrs[rng.IntN(len(addrs))]
	if rng.IntN(4) == 0 {
		bus, addr = r.robot.BoardBus(), []uint16{0x10, 0x1C}[rng.IntN(2)]
	}
	switch rng.IntN(4) {
	case 0:
		r.must(r.robot.RemovePart(part))
	case 1:
		r.must(r.robot.AddPart(part))
	case 2:
		rates := mixed(rng.Float64())
		rates.Restart = (1 - rates.NAK*7) / 4
		r.must(bus.FaultsAt(addr).SetRates(rates))
	default:
		r.must(bus.FaultsAt(addr).SetRates(vbus.Rates{}))
	}
}
