// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Random faults in random order: the pose never jumps, and the wheels stop soon after the last command once the robot
// can be reached. The subtest's name is the seed.
func TestChaos(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, rigOptions{world: "arena", sim: sim.Options{Seed: seed, Now: time.Now, Sleep: pass}})
				odom := listenTo[nav_msgs.Odometry](r, "odom")
				rng := rand.New(rand.NewPCG(seed, 1))
				for range 60 {
					somethingHappens(r, rng)
					time.Sleep(time.Duration(rng.IntN(400)) * time.Millisecond)
				}
				r.must(r.robot.Faults().SetRates(vbus.Rates{}))
				r.must(r.robot.Faults().Hold(vbus.Fault{}))
				time.Sleep(lastRetry + time.Second)
				r.wantAtRest()
				wantSmooth(t, odom())
				if s := r.driver.Status(); s.Lost || !s.Readings {
					t.Errorf("the robot is not back: %+v", s.Diagnosis)
				}
				if lost, back := r.log.count("does not answer"), r.log.count("answers again"); lost != back {
					t.Errorf("lost %d times, back %d times", lost, back)
				}
				r.must(r.end())
				r.wantAtRest()
			})
		})
	}
}

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

// somethingHappens does one of the things that users, networks, buses and robots do.
func somethingHappens(r *rig, rng *rand.Rand) {
	r.Helper()
	set := func(name string, v float64) {
		r.must(r.node.Parameters().SetAtomically(ros2.Parameter{Name: name, Value: ros2.DoubleValue(v)}))
	}
	switch rng.IntN(14) {
	case 0:
		r.must(r.robot.Faults().SetRates(mixed(rng.Float64() * 0.6)))
	case 1:
		r.must(r.robot.Faults().SetRates(vbus.Rates{}))
	case 2:
		r.must(r.robot.Faults().Hold(vbus.Fault{Kind: []vbus.Kind{vbus.NAK, vbus.Stuck, vbus.ReadTimeout, vbus.CorruptRead}[rng.IntN(4)]}))
	case 3, 4:
		r.must(r.robot.Faults().Hold(vbus.Fault{}))
	case 5:
		r.robot.Restart()
	case 6:
		set(table.ParamRadius, 0.0195+0.001*rng.Float64())
	case 7:
		set(table.ParamDistance, 0.05+0.01*rng.Float64())
	case 8:
		set(table.ParamMaxSpeed, 1+5*rng.Float64())
	default:
		r.command(0.3*rng.Float64()-0.15, 8*rng.Float64()-4)
	}
}
