// SPDX-License-Identifier: Apache-2.0

//go:build linux

package fleet_test

import (
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// BenchmarkFleet is the processor time of a robot-second with its node, and at the firmware level its driver, while
// another participant watches one robot; and the memory of a robot with all of that. Messages travel on the loopback
// interface.
func BenchmarkFleet(b *testing.B) {
	for _, level := range world.JoiningLevels() {
		for _, n := range []int{1, 100} {
			b.Run(fmt.Sprintf("%s/robots=%d", level, n), func(b *testing.B) { benchmarkFleet(b, level, n) })
		}
	}
}

func benchmarkFleet(b *testing.B, level string, n int) {
	w := crowd(b, n, level)
	before := heap()
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Seed: 1, Now: clock.Now, Settled: true})
	if err != nil {
		b.Fatal(err)
	}
	network := rmw.Config{DomainID: 228, Range: rmw.Localhost}
	transport, outside := joinNetwork(b, network), joinNetwork(b, network)
	robots, err := fleet.New(fleet.Config{
		Simulation: s, Transport: transport, Clock: stamps{ros2.SystemClock(), clock}, Logger: slog.New(slog.DiscardHandler),
		Hardware: func(r *sim.Firmware, _ *ros2.Node) (driver.Config, func() error, error) {
			return driver.Config{Hardware: &chips.Robot{Bus: r.Bus(), BoardBus: r.BoardBus(), Files: r.BatteryFS()}}, func() error { return nil }, nil
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	watcher, err := ros2.NewNode(ros2.NodeConfig{Name: "watcher", Transport: outside})
	if err != nil {
		b.Fatal(err)
	}
	heard, matched := new(atomic.Int64), make(chan struct{})
	found := sync.OnceFunc(func() { close(matched) })
	if _, err := ros2.NewSubscription(watcher, "/"+s.Robots()[0].Name()+"/odom", ros2.DefaultQoS(), func(*nav_msgs.Odometry, ros2.MessageInfo) { heard.Add(1) },
		ros2.OnPublishers(func(int) { found() })); err != nil {
		b.Fatal(err)
	}
	<-matched
	second := func() {
		for range 100 {
			clock.Sleep(10 * time.Millisecond)
			if err := robots.Step(); err != nil {
				b.Fatal(err)
			}
		}
	}
	hear := func(messages int64) { // they are on their way while the world runs faster than a network
		for tries := 0; heard.Load() < messages; tries++ {
			if second(); tries == 10_000 {
				b.Fatalf("the watcher heard %d messages", heard.Load())
			}
		}
	}
	hear(1) // the robot's node has found the watcher, too
	memory := heap() - before
	begun := processorTime(b)
	for b.Loop() {
		second()
	}
	b.ReportMetric((processorTime(b)-begun)*1e6/float64(b.N)/float64(n), "cpu-µs/robot-s")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "s/s")
	b.ReportMetric(float64(memory)/1000/float64(n), "kB/robot")
	hear(10)
	for _, c := range []interface{ Close() error }{robots, watcher} {
		if err := c.Close(); err != nil {
			b.Error(err)
		}
	}
}

// processorTime returns what this process has used so far, s.
func processorTime(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkStartAndClose measures how long 1,000 functional robots with their nodes take to start, including the world,
// and to close, on the network of this machine.
func BenchmarkStartAndClose(b *testing.B) {
	const n = 1000
	var started, closed time.Duration
	for b.Loop() {
		begun := time.Now()
		clock := sim.NewClock()
		s, err := sim.New(crowd(b, n, world.LevelFunctional), sim.Options{Seed: 1, Now: clock.Now, Settled: true})
		if err != nil {
			b.Fatal(err)
		}
		transport := joinNetwork(b, rmw.Config{Range: rmw.Localhost})
		robots, err := fleet.New(fleet.Config{Simulation: s, Transport: transport, Clock: stamps{ros2.SystemClock(), clock}})
		if err != nil {
			b.Fatal(err)
		}
		started += time.Since(begun)
		clock.Sleep(100 * time.Millisecond)
		if err := robots.Step(); err != nil {
			b.Fatal(err)
		}
		begun = time.Now()
		if err := robots.Close(); err != nil {
			b.Error(err)
		}
		closed += time.Since(begun)
	}
	b.ReportMetric(started.Seconds()/float64(b.N), "s/start")
	b.ReportMetric(closed.Seconds()/float64(b.N), "s/close")
}

// heap returns how many bytes are in use, after a collection.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
