// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// crowd is a world with n robots of a level, 2.5 on a square metre.
func crowd(t testing.TB, n int, level string) *sim.World {
	t.Helper()
	side := math.Sqrt(float64(n) / 2.5)
	w, err := sim.ParseWorld(fmt.Appendf(nil, "arena: {size: [%g, %g]}\nrobots: [{name: r, level: %s}]", side, side, level))
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Distribute(w, n, sim.Uniform, 1); err != nil {
		t.Fatal(err)
	}
	return w
}

// joinNetwork makes a participant, closed with the test.
func joinNetwork(t testing.TB, cfg rmw.Config) *rmw.Transport {
	t.Helper()
	tr, err := rmw.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	return tr
}

// A hundred robots, each with its node and its driver, are one participant of a network: another one sees all of them,
// hears every message of the one that it watches, and no driver misses a cycle.
func TestHundredRobots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 100
		if !suite.Long { // on an emulated processor
			n = 10
		}
		clock := sim.NewClock()
		s, err := sim.New(crowd(t, n, world.LevelFirmware), sim.Options{Seed: 1, Now: clock.Now, Settled: true})
		if err != nil {
			t.Fatal(err)
		}
		network := vnet.New(vnet.Config{})
		transport, outside := joinNetwork(t, rmw.Config{Network: network.Host(1)}), joinNetwork(t, rmw.Config{Network: network.Host(2)})
		cycles := make(map[string]int)
		robots, err := fleet.New(fleet.Config{
			Simulation: s, Transport: transport, Clock: stamps{ros2.SystemClock(), clock},
			Hardware: func(r *sim.Firmware, _ *ros2.Node) (driver.Config, func() error, error) {
				count := func(bool) { cycles[r.Name()]++ }
				return driver.Config{Hardware: &chips.Robot{Bus: r.Bus(), BoardBus: r.BoardBus(), Files: r.BatteryFS()}, OnCycle: count}, func() error { return nil }, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		watcher, err := ros2.NewNode(ros2.NodeConfig{Name: "watcher", Transport: outside})
		if err != nil {
			t.Fatal(err)
		}
		heard := 0
		sub, err := ros2.NewSubscription(watcher, "/"+s.Robots()[n/2].Name()+"/odom", ros2.DefaultQoS(), func(*nav_msgs.Odometry, ros2.MessageInfo) { heard++ })
		if err != nil {
			t.Fatal(err)
		}
		settle := func() {
			time.Sleep(2 * time.Second) // of the test's time
			synctest.Wait()
		}
		settle()
		for range 20 { // 1 s of the world's time
			for range 5 {
				clock.Sleep(10 * time.Millisecond)
				if err := robots.Step(); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(50 * time.Millisecond)
			synctest.Wait()
		}
		settle()
		if len(cycles) != n {
			t.Errorf("%d drivers made cycles, want %d", len(cycles), n)
		}
		for name, k := range cycles {
			if k != 20 {
				t.Errorf("the driver of %s made %d cycles, want 20", name, k)
			}
		}
		if sub.PublisherCount() != 1 || heard != 20 {
			t.Errorf("%d publishers, %d messages heard, want 20", sub.PublisherCount(), heard)
		}
		if g := outside.Graph(); len(g.Nodes) != n+1 {
			t.Errorf("%d nodes are seen from outside, want %d", len(g.Nodes), n+1)
		}
		if err := robots.Close(); err != nil {
			t.Error(err)
		}
		settle()
		if g := outside.Graph(); len(g.Nodes) != 1 || len(g.Endpoints) != 1 {
			t.Errorf("when the robots are gone, %d nodes and %d endpoints are seen", len(g.Nodes), len(g.Endpoints))
		}
		if err := watcher.Close(); err != nil {
			t.Error(err)
		}
	})
}
