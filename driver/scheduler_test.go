// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// busSpy is a bus that records when the main processor received which speed, and on which chosen chips answer late.
type busSpy struct {
	pi2c.Bus
	mu     sync.Mutex
	late   map[uint16]time.Duration // how much longer a transaction with an address takes
	speeds []speedAt
}

type speedAt struct {
	at   time.Time
	left int16
}

func (b *busSpy) Tx(addr uint16, w, r []byte) error {
	b.mu.Lock()
	if addr == mcu.Addr && len(w) == mcu.CommandSize {
		b.speeds = append(b.speeds, speedAt{time.Now(), int16(uint16(w[0]) | uint16(w[1])<<8)})
	}
	late := b.late[addr]
	b.mu.Unlock()
	time.Sleep(late)
	return b.Bus.Tx(addr, w, r)
}

// answerLate makes each transaction with one of the addresses, and with no other, take that much longer.
func (b *busSpy) answerLate(by time.Duration, addrs ...uint16) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.late = map[uint16]time.Duration{}
	for _, a := range addrs {
		b.late[a] = by
	}
}

// got returns the first time from at on at which the main processor got the speed.
func (b *busSpy) got(left int16, at time.Time) (time.Duration, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.speeds {
		if s.left == left && !s.at.Before(at) {
			return s.at.Sub(at), true
		}
	}
	return 0, false
}

// spied is a rig with all parts and a spy on the bus.
func spied(t *testing.T, args string) (*rig, *busSpy) {
	spy := &busSpy{}
	r := newRig(t, rigOptions{world: "arena", parts: true, args: args, sim: sim.Options{Seed: 3, Now: time.Now, Sleep: pass},
		bus: func(b pi2c.Bus) pi2c.Bus {
			spy.Bus = b
			return spy
		}})
	r.hearParts()
	return r, spy
}

var chipAddrs = map[string][]uint16{
	"ToF": {vl53l0x.Addr}, "IMU": {imu.Addr, imu.AddrAlt}, "ground": {ground.Addr},
	"all": {vl53l0x.Addr, imu.Addr, imu.AddrAlt, ground.Addr},
}

// worstLatency is the longest that a command may wait for the wheels: one transaction of 20 ms that hangs, a control
// cycle that was due meanwhile, and its own exchange's beginning.
const worstLatency = 30 * time.Millisecond

// wantOnTime drives the robot about for ten seconds and fails the test if a control cycle was left out or a command
// came late.
func wantOnTime(t *testing.T, r *rig, spy *busSpy, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 2))
	odom := listenTo[nav_msgs.Odometry](r, "odom")
	before := r.driver.Status()
	began, worst := time.Now(), time.Duration(0)
	for i := 0; time.Since(began) < 10*time.Second; i++ {
		v := 0.01 + 0.001*float64(i%50)
		left, _ := r.driver.settings.Load().Wheels.Steps(v, 0)
		at := time.Now()
		r.command(v, 0)
		time.Sleep(time.Duration(60+rng.IntN(80)) * time.Millisecond)
		took, ok := spy.got(left, at)
		if !ok {
			t.Errorf("a command never arrived")
		}
		worst = max(worst, took)
	}
	if worst > worstLatency {
		t.Errorf("a command waited %v", worst)
	}
	want := int(time.Since(began) / (50 * time.Millisecond))
	if n := len(odom()); n < want-1 || n > want+1 {
		t.Errorf("%d control cycles in %v, want %d", n, time.Since(began), want)
	}
	after := r.driver.Status()
	if n := after.Overruns - before.Overruns; n != 0 {
		t.Errorf("%d cycles were left out", n)
	}
	if after.Lost || after.Bus.Failed != before.Bus.Failed {
		t.Errorf("the main processor was disturbed: %+v", after.Bus)
	}
}

// A dead chip costs its own time only, whatever its fault. (The other chips continue to be polled.)
func TestDeadPartsDoNotDelayTheControlCycle(t *testing.T) {
	for _, kind := range []vbus.Kind{vbus.NAK, vbus.Timeout, vbus.ReadTimeout, vbus.CorruptRead} {
		for name, addrs := range chipAddrs {
			if !suite.Long && (name != "all" || kind == vbus.NAK) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%v", name, kind), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r, spy := spied(t, "-p imu_rate:=100.0")
					ranges := listenTo[jazzy.Range](r, "tof")
					time.Sleep(3 * time.Second) // all are up
					for _, a := range addrs {
						r.must(r.robot.Bus().FaultsAt(a).Hold(vbus.Fault{Kind: kind, Byte: 0, Mask: 0xFF}))
					}
					heard := len(ranges())
					wantOnTime(t, r, spy, uint64(kind))
					if n := len(ranges()) - heard; (name == "IMU" || name == "ground") && n < 150 {
						t.Errorf("the ToF, which is well, gave %d ranges in 10 s", n)
					}
					for _, a := range addrs {
						r.must(r.robot.Bus().FaultsAt(a).Hold(vbus.Fault{}))
					}
					time.Sleep(5 * time.Second)
					for _, p := range r.driver.Status().Parts {
						if p.State != device.Running && p.Name != string(parts.IMUField) {
							t.Errorf("%s is %v after the fault: %v", p.Name, p.State, p.LastErr)
						}
					}
					r.must(r.end())
				})
			})
		}
	}
}

// TestLatePartsDoNotDelayTheControlCycle: a chip that stretches the clock for 5 or 20 ms in each transaction delays no
// control cycle, from its bring-up on; afterwards it runs.
func TestLatePartsDoNotDelayTheControlCycle(t *testing.T) {
	for name, addrs := range chipAddrs {
		for _, by := range []time.Duration{5 * time.Millisecond, 20 * time.Millisecond} {
			if !suite.Long && name != "all" {
				continue
			}
			t.Run(fmt.Sprintf("%s/%v", name, by), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r, spy := spied(t, "")
					spy.answerLate(by, addrs...) // from the start: the bring-up is late as well
					time.Sleep(time.Second)
					wantOnTime(t, r, spy, 7)
					spy.answerLate(0)
					time.Sleep(5 * time.Second)
					for _, p := range r.driver.Status().Parts {
						if p.State != device.Running && p.Name != string(parts.IMUField) {
							t.Errorf("%s is %v afterwards: %v", p.Name, p.State, p.LastErr)
						}
					}
				})
			})
		}
	}
}
