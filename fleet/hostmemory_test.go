// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package fleet_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// A robot comes and goes again and again while the others drive on: nothing of it stays, neither on the network nor in
// memory nor as a goroutine.
func TestRemovedRobotsLeaveNothingBehind(t *testing.T) {
	visits := 200
	if !suite.Long {
		visits = 50
	}
	var goroutines int
	var memory uint64
	newHosted(t).comeAndGo(visits, func() { goroutines, memory = runtime.NumGoroutine(), heap() })
	if n := runtime.NumGoroutine(); n > goroutines+5 {
		t.Errorf("%d goroutines, before %d", n, goroutines)
	}
	grown := (float64(heap()) - float64(memory)) / 1000 / float64(visits)
	t.Logf("%.2f kB a visit stay", grown)
	if grown > 2 {
		t.Errorf("%.2f kB a visit stay, of the 280 that a robot has", grown)
	}
}

// A robot's memory is bounded, with its node and, at the firmware level, its driver.
func TestMemoryOfARobot(t *testing.T) {
	const n = 40
	for level, most := range map[string]float64{world.LevelFunctional: 200, world.LevelFirmware: 1000} {
		w, err := sim.LoadWorld("plane")
		if err != nil {
			t.Fatal(err)
		}
		w.Robots[0].Level = level
		if err := sim.Distribute(w, n, sim.Grid, 1); err != nil {
			t.Fatal(err)
		}
		before := heap()
		g := newRigOf(t, w, sim.Options{Settled: true}, fleet.Config{})
		g.run(2 * time.Second)
		per := (float64(heap()) - float64(before)) / 1000 / n
		t.Logf("%s: %.1f kB a robot", level, per)
		if per > most {
			t.Errorf("%s: %.0f kB a robot, at most %.0f", level, per, most)
		}
		runtime.KeepAlive(g)
	}
}

// A functional robot's memory with its node on a network's transport is bounded, however many robots there are.
func TestMemoryOfARobotOnANetwork(t *testing.T) {
	const most = 200 // kB
	sizes := []int{200, 1000}
	if !suite.Long {
		sizes = sizes[:1]
	}
	for _, n := range sizes {
		before := heap()
		clock := sim.NewClock()
		s, err := sim.New(crowd(t, n, world.LevelFunctional), sim.Options{Seed: 1, Now: clock.Now, Settled: true})
		if err != nil {
			t.Fatal(err)
		}
		transport := joinNetwork(t, rmw.Config{Range: rmw.Off})
		robots, err := fleet.New(fleet.Config{Simulation: s, Transport: transport, Clock: stamps{ros2.SystemClock(), clock}})
		if err != nil {
			t.Fatal(err)
		}
		clock.Sleep(100 * time.Millisecond)
		if err := robots.Step(); err != nil {
			t.Error(err)
		}
		per := float64(heap()-before) / 1000 / float64(n)
		for tries := 0; per > most && tries < 50; tries++ { // the message with all endpoints may be being encoded
			<-time.After(20 * time.Millisecond)
			per = float64(heap()-before) / 1000 / float64(n)
		}
		t.Logf("%d robots: %.1f kB a robot", n, per)
		if per > most {
			t.Errorf("%d robots: %.0f kB a robot, at most %d", n, per, most)
		}
		if err := robots.Close(); err != nil {
			t.Error(err)
		}
	}
}
