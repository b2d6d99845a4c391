// SPDX-License-Identifier: Apache-2.0

//go:build system

package main

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/fleet/simclock"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/mapping"
	mapnode "github.com/epuck-ros2/epuck-driver/mapping/node"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// TestThreeRobotsMakeOneMap: the three of the world swarm see most of its walls and the post in the middle, in one map,
// and touch nothing.
func TestThreeRobotsMakeOneMap(t *testing.T) {
	file := filepath.Join(t.TempDir(), "map")
	synctest.Test(t, func(t *testing.T) {
		w, err := sim.LoadWorld("swarm")
		must(t, err)
		for i := range w.Robots {
			w.Robots[i].Level = world.LevelFunctional
		}
		clock, err := simclock.New(simclock.Config{Epoch: time.Now(), Factor: 1})
		must(t, err)
		s, err := sim.New(w, sim.Options{Seed: 5, Now: clock.Now})
		must(t, err)
		transport := ros2test.NewNetwork().NewTransport()
		robots, err := fleet.New(fleet.Config{Simulation: s, Transport: transport, Clock: clock})
		must(t, err)
		world, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- robots.Run(world, clock) }()
		time.Sleep(time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		must(t, run(ctx, transport, []string{"epuck1=0.3,0,1.570796", "epuck2=-0.3,0.2,-1.570796", "epuck3=0,-0.35,0"}, file))
		cancel()
		for _, r := range sim.RobotsOf[*sim.Firmware](s) {
			if n := r.GroundTruth().Collisions; n != 0 {
				t.Errorf("%s has touched something %d times", r.Name(), n)
			}
		}
		stop()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		must(t, robots.Close())
		must(t, transport.Close())
	})
	m, err := mapping.Load(file + ".yaml")
	must(t, err)
	var walls, right, room, known int
	for i, v := range m.Cells {
		x, y := m.Center(i%m.Width, i/m.Width)
		edge, post := math.Max(math.Abs(x), math.Abs(y)), math.Hypot(x, y)
		if v > 50 {
			walls++
			if math.Abs(edge-0.61) < 0.05 || post < 0.1 {
				right++
			}
		}
		if edge < 0.5 && post > 0.1 {
			room++
			if v >= 0 {
				known++
			}
		}
	}
	t.Logf("%d of %d cells with obstacles are walls or the post; %d of %d cells of the room are known", right, walls, known, room)
	if walls < 200 || 100*right < 80*walls || 100*known < 80*room {
		t.Error("the map is another")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestArguments: what is no robot is named.
func TestArguments(t *testing.T) {
	for _, arg := range []string{"epuck1", "epuck1=", "epuck1=1,2", "epuck1=a,b,c"} {
		transport := ros2test.NewNetwork().NewTransport()
		if err := run(t.Context(), transport, []string{arg}, filepath.Join(t.TempDir(), "map")); err == nil {
			t.Errorf("%s is taken", arg)
		}
		must(t, transport.Close())
	}
}

// TestWorthy: a place at the edge of the unknown is worth the way; one in the middle of the known, next to an obstacle
// or where a robot was is not.
func TestWorthy(t *testing.T) {
	m, err := mapping.NewMap(mapping.Frame{Resolution: 0.01, Width: 60, Height: 60})
	must(t, err)
	for i := range m.Cells {
		m.Cells[i] = mapping.Unknown
		if i%m.Width < 30 {
			m.Cells[i] = 0
		}
	}
	m.Cells[10*m.Width+29] = 100
	x, y := m.Center(27, 50)
	v := view{place: &place{seen: []mapping.Pose{{X: x, Y: y}}}}
	for _, c := range []struct {
		column, row int
		want        bool
		why         string
	}{
		{27, 25, true, "at the edge"},
		{12, 25, false, "in the middle of the known"},
		{27, 12, false, "next to an obstacle"},
		{27, 45, false, "where a robot was"},
		{2, 25, true, "at the edge of the map"},
	} {
		if got := v.worthy(m, c.column, c.row); got != c.want {
			t.Errorf("%s: %v", c.why, got)
		}
	}
}

// TestNoClearer: the mapper may not clear the common map where one robot's odometry says that it is.
func TestNoClearer(t *testing.T) {
	if _, ok := any(view{place: &place{}}).(mapnode.Clearer); ok {
		t.Error("it can")
	}
}

// TestNothingToSee: an empty map has no edge to go to.
func TestNothingToSee(t *testing.T) {
	grid, err := mapping.NewConeGrid(0.01)
	must(t, err)
	if goal, found := (view{place: &place{grid: grid}}).next(mapping.Pose{}); found {
		t.Errorf("goes to %v", goal)
	}
}
