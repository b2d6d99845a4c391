// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"testing"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// cannedBus answers every exchange with the same reading, so that a benchmark measures the driver and no simulation.
type cannedBus struct {
	pi2c.Bus
	reply   [mcu.SensorsSize]byte
	arrived chan struct{} // if not nil, receives for transfers whose left speed is not zero
}

func newCannedBus(inner pi2c.Bus) *cannedBus {
	b := &cannedBus{Bus: inner}
	s := mcu.Sensors{Selector: mcu.SelectorPi}
	for i := range 8 {
		s.Proximity[i], s.Ambient[i] = uint16(300*i), 4000
	}
	s.Put(&b.reply)
	return b
}

func (b *cannedBus) Tx(_ uint16, w, r []byte) error {
	copy(r, b.reply[:])
	if b.arrived != nil && w[0]|w[1] != 0 {
		select {
		case b.arrived <- struct{}{}:
		default:
		}
	}
	return nil
}

func benchmarkCycle(b *testing.B, subscribe func(*rig)) {
	r, _ := steppedRig(b, rigOptions{bus: func(bus pi2c.Bus) pi2c.Bus { return newCannedBus(bus) }})
	subscribe(r)
	clock := r.driver.clock.(stillClock)
	b.ReportAllocs()
	for b.Loop() {
		clock.Sleep(50 * time.Millisecond)
		if err := r.driver.Step(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCycleIdle is one control cycle without subscribers.
func BenchmarkCycleIdle(b *testing.B) { benchmarkCycle(b, func(*rig) {}) }

// BenchmarkCycleAllSubscribed is one control cycle with every topic subscribed, delivered in memory.
func BenchmarkCycleAllSubscribed(b *testing.B) { benchmarkCycle(b, subscribeAll) }

// BenchmarkCommandToBus is the time from the publication of a cmd_vel to its transfer: the subscription, waking the
// bus goroutine and the exchange up to the bus. Between two commands the robot is stopped, which is not timed.
func BenchmarkCommandToBus(b *testing.B) {
	canned := &cannedBus{}
	r := newRig(b, rigOptions{bus: func(bus pi2c.Bus) pi2c.Bus {
		canned = newCannedBus(bus)
		canned.arrived = make(chan struct{}, 1)
		return canned
	}})
	pub, err := ros2.NewPublisher[geometry_msgs.Twist](r.user, "cmd_vel", ros2.DefaultQoS())
	r.must(err)
	go2, rest := &geometry_msgs.Twist{}, &geometry_msgs.Twist{}
	go2.Linear.X = 0.1
	var total time.Duration
	n := 0
	for b.Loop() {
		r.must(pub.Publish(rest))
		<-time.After(2 * minCommandGap)
		select { // a transfer of the command before
		case <-canned.arrived:
		default:
		}
		began := time.Now()
		r.must(pub.Publish(go2))
		<-canned.arrived
		total += time.Since(began)
		n++
	}
	b.ReportMetric(float64(total.Microseconds())/float64(n), "µs/command")
}

// BenchmarkCycleEverything is one control cycle with every part of the robot and its board present and all topics
// subscribed. Its metrics are the processor time of the driver and the simulation together, and the exact time on the
// robot's bus at 100 kHz that each chip takes per cycle.
func BenchmarkCycleEverything(b *testing.B) {
	r, cycle := steppedRig(b, rigOptions{world: "arena", parts: true, board: true})
	for range 100 { // until all are up
		cycle()
	}
	subscribeAll(r)
	before, transactions := r.driver.Status(), busTime(r)
	b.ReportAllocs()
	for b.Loop() {
		cycle()
	}
	after := r.driver.Status()
	cycles := float64(after.Bus.Exchanges - before.Bus.Exchanges)
	rest := busTime(r) - transactions
	for _, name := range []parts.Name{parts.IMU, parts.ToF, parts.Ground} {
		busy := after.Part(name).Busy - before.Part(name).Busy
		b.ReportMetric(float64(busy.Microseconds())/cycles, string(name)+"-bus-µs/cycle")
		rest -= busy
	}
	b.ReportMetric(float64(rest.Microseconds())/cycles, "mcu-bus-µs/cycle")
}

// busTime is how long the robot's bus was busy, with the main processor and with the parts.
func busTime(r *rig) time.Duration {
	var s health.Snapshot
	r.driver.sample(&s)
	return s.Bus.Busy
}
