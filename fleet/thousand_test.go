// SPDX-License-Identifier: Apache-2.0

package fleet_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestThousandRobots: more functional robots than any documentation runs in one process, each with its node, are on the
// network, all of them are seen by another participant with all their endpoints, and when they are closed, without an
// error, none of them is left.
func TestThousandRobots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 1100
		if !suite.Long {
			n = 20
		}
		clock := sim.NewClock()
		s, err := sim.New(crowd(t, n, world.LevelFunctional), sim.Options{Seed: 1, Now: clock.Now, Settled: true})
		if err != nil {
			t.Fatal(err)
		}
		network := vnet.New(vnet.Config{})
		transport := joinNetwork(t, rmw.Config{Network: network.Host(1)})
		outside := joinNetwork(t, rmw.Config{Network: network.Host(2), DiscoveryMemory: 256 << 20})
		var left atomic.Int32
		robots, err := fleet.New(fleet.Config{
			Simulation: s, Transport: transport, Clock: stamps{ros2.SystemClock(), clock}, Left: func() { left.Add(1) },
		})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(15 * time.Second) // of the test's time: discovery repairs 4 MB a second
		synctest.Wait()
		own, seen := transport.Graph(), outside.Graph()
		if len(own.Nodes) != n || len(seen.Nodes) != n {
			t.Errorf("%d nodes, %d are seen from outside, want %d", len(own.Nodes), len(seen.Nodes), n)
		}
		if len(own.Endpoints) < 40*n || len(seen.Endpoints) != len(own.Endpoints) {
			t.Errorf("%d endpoints, %d are seen from outside", len(own.Endpoints), len(seen.Endpoints))
		}
		for _, e := range seen.Endpoints {
			if e.Node.Name == "" {
				t.Fatalf("%s %s has no node", e.Kind, e.Topic)
			}
		}
		clock.Sleep(100 * time.Millisecond)
		if err := robots.Step(); err != nil {
			t.Error(err)
		}
		if err := robots.Close(); err != nil || int(left.Load()) != n {
			t.Errorf("%d robots have left: %v", left.Load(), err)
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if g := outside.Graph(); len(g.Nodes)+len(g.Endpoints) != 0 {
			t.Errorf("when the robots are gone, %d nodes and %d endpoints are seen", len(g.Nodes), len(g.Endpoints))
		}
	})
}
