// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// attackedBus makes transfers with the main processor fail in every way that a bus can, at random.
type attackedBus struct {
	pi2c.Bus

	mu     sync.Mutex
	rng    *rand.Rand
	rate   float64 // share of the transfers that fail; 0 none
	forged bool    // also replies that are wrong and have a good checksum
	faults int     // how many transfers have failed
	forges int     // how many replies were wrong and had a good checksum
	dead   bool    // only faults without any reply
}

// Tx implements pi2c.Bus.
func (b *attackedBus) Tx(addr uint16, w, r []byte) error {
	b.mu.Lock()
	attack := addr == mcu.Addr && b.rng.Float64() < b.rate
	if attack {
		b.faults++
	}
	kinds := 8
	switch {
	case b.forged:
		kinds = 9
	case b.dead:
		kinds = 2
	}
	kind, dice := b.rng.IntN(kinds), rand.New(rand.NewPCG(b.rng.Uint64(), 0))
	b.mu.Unlock()
	if !attack {
		return b.Bus.Tx(addr, w, r)
	}
	switch kind {
	case 0: // a NAK of the address
		return system.EREMOTEIO
	case 1: // a line that is stuck until the adapter gives up
		time.Sleep(20 * time.Millisecond)
		return syscall.ETIMEDOUT
	case 2: // the command arrives with a bit flipped
		w = append([]byte(nil), w...)
		flip(w, dice.IntN(8*max(1, len(w))))
		return b.Bus.Tx(addr, w, r)
	}
	if err := b.Bus.Tx(addr, w, r); err != nil || len(r) == 0 {
		return err
	}
	switch kind {
	case 3: // a NAK after the command took effect
		clear(r)
		return system.EREMOTEIO
	case 4: // a short read: nothing drives the line any more
		for i := dice.IntN(len(r)); i < len(r); i++ {
			r[i] = 0xFF
		}
	case 5: // the data line stuck low
		clear(r)
	case 6: // a byte too many at the front
		copy(r[1:], r)
	case 7: // an odd number of flipped bits
		for range 1 + 2*dice.IntN(3) {
			flip(r, dice.IntN(8*len(r)))
		}
	case 8: // two flipped bits that the checksum can't show, one of them in a step counter
		b.mu.Lock()
		b.forges++
		b.mu.Unlock()
		bit := dice.IntN(8)
		flip(r, 8*(41+dice.IntN(4))+bit)
		flip(r, 8*46+bit)
		return nil
	}
	if _, err := mcu.Decode(r); err == nil { // good by chance: one of 256
		flip(r, 0)
	}
	return nil
}

func flip(p []byte, bit int) {
	if len(p) > 0 {
		p[bit/8%len(p)] ^= 1 << (bit % 8)
	}
}

func (b *attackedBus) set(rate float64, forged bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rate, b.forged, b.dead = rate, forged, false
}

// die makes all transfers fail without a reply until the next set.
func (b *attackedBus) die() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rate, b.dead = 1, true
}

// attackedRig is a robot on such a bus, whose random numbers come from the seed.
func attackedRig(t *testing.T, seed uint64) (*rig, *attackedBus) {
	t.Helper()
	b := &attackedBus{rng: rand.New(rand.NewPCG(seed, 25))}
	r := newRig(t, rigOptions{
		sim: sim.Options{Seed: seed, Now: time.Now, Sleep: pass},
		bus: func(bus pi2c.Bus) pi2c.Bus { b.Bus = bus; return b },
	})
	return r, b
}

// wantWithin fails the test if the pose is farther from the robot's than a bound.
func (r *rig) wantWithin(metres, rad float64) {
	r.Helper()
	s, truth := r.driver.Status(), r.robot.GroundTruth().Pose
	if d := math.Hypot(s.X-truth.X, s.Y-truth.Y); d > metres {
		r.Errorf("the pose is %.4f m off, %.4f allowed", d, metres)
	}
	if d := math.Abs(math.Remainder(s.Theta-truth.Theta, 2*math.Pi)); d > rad {
		r.Errorf("the heading is %.4f rad off, %.4f allowed", d, rad)
	}
}

// seeds is how many seeds an attack is tried with; the subtest's name is the seed.
func seeds() uint64 {
	if !suite.Long {
		return 4
	}
	return 40
}

// TestOdometryUnderAllBusFaults: NAKs, short reads, stuck lines and flipped bits in half of all transfers only reduce
// the accuracy of arcs, to 1 cm and 0.05 rad in 40 s; the pose does not jump, and the log stays short.
func TestOdometryUnderAllBusFaults(t *testing.T) {
	for seed := range seeds() {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, b := attackedRig(t, seed)
				odom := listenTo[nav_msgs.Odometry](r, "odom")
				rng := rand.New(rand.NewPCG(seed, 1))
				b.set(0.05+0.45*rng.Float64(), false)
				for range 20 {
					r.drive(0.2*rng.Float64()-0.1, 2*rng.Float64()-1, 2*time.Second)
				}
				b.set(0, false)
				time.Sleep(lastRetry + time.Second)
				r.wantAtRest()
				r.wantWithin(0.01, 0.05)
				wantSmooth(t, odom())
				if s := r.driver.Status(); s.Lost || b.faults < 10 {
					t.Errorf("lost %v, %d faults", s.Lost, b.faults)
				}
				if n := r.log.count(""); n > 60 {
					t.Errorf("%d lines in the log of 42 s\n%s", n, r.log)
				}
				r.must(r.end())
			})
		})
	}
}

// TestOdometryUnderRestarts: with the same faults, a restart of the robot, which sets the counters to 0, is detected
// and loses less than 3 cm, the motion since the last good reading.
func TestOdometryUnderRestarts(t *testing.T) {
	attackWithRestarts(t, false, func(r *rig, events int, odom []*nav_msgs.Odometry) {
		r.wantWithin(0.01+0.03*float64(events), 0.05+0.05*float64(events))
		wantSmooth(r, odom)
	})
}

// TestOdometryUnderForgedCounters: a reply with a wrong step counter and a valid checksum, which can't be detected,
// moves the pose by at most the turn of a wheel between two readings, 0.31 rad; the pose does not jump.
func TestOdometryUnderForgedCounters(t *testing.T) {
	attackWithRestarts(t, true, func(r *rig, events int, odom []*nav_msgs.Odometry) {
		r.wantWithin(math.Inf(1), 0.05+0.31*float64(events))
		wantSmooth(r, odom)
	})
}

// attackWithRestarts drives on an attacked bus with four restarts of the robot, forged replies or none, and has the end
// checked; events is how many restarts and forged replies there were.
func attackWithRestarts(t *testing.T, forged bool, check func(r *rig, events int, odom []*nav_msgs.Odometry)) {
	for seed := range seeds() {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, b := attackedRig(t, seed)
				odom := listenTo[nav_msgs.Odometry](r, "odom")
				rng := rand.New(rand.NewPCG(seed, 2))
				b.set(0.1*rng.Float64(), forged)
				restarts := 0
				for i := range 20 {
					r.drive(0.06+0.04*rng.Float64(), 0.5*rng.Float64()-0.25, 2*time.Second)
					if i%5 == 4 { // the counters are far from 0
						r.robot.Restart()
						restarts++
					}
				}
				b.set(0, false)
				time.Sleep(lastRetry + time.Second)
				r.wantAtRest()
				if n := int(r.driver.Status().Bus.Restarts) + r.log.count("counters jumped"); n < restarts {
					t.Errorf("%d of %d restarts were recognised", n, restarts)
				}
				check(r, b.forges+restarts, odom())
				if n := r.log.count(""); n > 120 {
					t.Errorf("%d lines in the log of 42 s\n%s", n, r.log)
				}
				r.must(r.end())
			})
		})
	}
}

// TestStopsWheelsWhenBusReturns: the first successful transfer after an outage stops the wheels, whatever was
// commanded meanwhile, and the next command drives again.
func TestStopsWheelsWhenBusReturns(t *testing.T) {
	for seed := range seeds() {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, b := attackedRig(t, seed)
				rng := rand.New(rand.NewPCG(seed, 3))
				r.drive(0.1, 0, 2*time.Second)
				b.die()
				r.drive(0.1, 0.2, time.Duration(1+rng.IntN(4000))*time.Millisecond+time.Second)
				if !r.driver.Status().Lost {
					t.Error("the robot is not lost")
				}
				b.set(0, false)
				time.Sleep(lastRetry + 100*time.Millisecond)
				r.wantAtRest()
				r.wantWithin(0.02, 0.05)
				r.drive(0.1, 0, time.Second)
				if truth := r.robot.GroundTruth(); truth.LeftSpeed < 4 {
					t.Errorf("the wheels turn at %v rad/s after the next command", truth.LeftSpeed)
				}
				if n := r.log.count(""); n > 15 {
					t.Errorf("%d lines in the log\n%s", n, r.log)
				}
				r.must(r.end())
			})
		})
	}
}
