// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/blackbox"
	"github.com/epuck-ros2/epuck-driver/fleet"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestOnlyRobotsThatRecordInTimeAreSole: what records works in the machine's time.
func TestOnlyRobotsThatRecordInTimeAreSole(t *testing.T) {
	sole := func(change func(o *simOptions, w *sim.World)) bool {
		o := simOptions{swarm: swarmOptions{speed: 1}}
		w := &sim.World{Robots: []world.Robot{{Name: "r", Level: world.LevelFirmware}}}
		change(&o, w)
		return o.soleRobot(w) != nil
	}
	if !sole(func(*simOptions, *sim.World) {}) {
		t.Error("one robot with its driver in real time is none")
	}
	for name, change := range map[string]func(o *simOptions, w *sim.World){
		"two robots":       func(_ *simOptions, w *sim.World) { w.Robots = append(w.Robots, world.Robot{Name: "q"}) },
		"functional":       func(_ *simOptions, w *sim.World) { w.Robots[0].Level = world.LevelFunctional },
		"described":        func(_ *simOptions, w *sim.World) { w.Robots[0].Model = "thymio2" },
		"at another speed": func(o *simOptions, _ *sim.World) { o.swarm.speed = 2 },
		"equal runs":       func(o *simOptions, _ *sim.World) { o.swarm.traceHash = true },
		"a fixed order":    func(o *simOptions, _ *sim.World) { o.order.mode = "fixed" },
		"TraCI":            func(o *simOptions, _ *sim.World) { o.traci.Address = "127.0.0.1:0" },
		"no world":         func(o *simOptions, _ *sim.World) { o.source.Unload = true },
		"charged work":     func(o *simOptions, _ *sim.World) { o.costs.wanted = true },
	} {
		if sole(change) {
			t.Errorf("%s: it is one", name)
		}
	}
}

// TestSoleRobotRecordsUntilItLeaves: the only robot has the services of recordings; when it leaves during one, the
// recording ends whole, and a robot of its name that comes later has a namespace and no recordings.
func TestSoleRobotRecordsUntilItLeaves(t *testing.T) {
	bags := t.TempDir()
	t.Setenv("STATE_DIRECTORY", bags)
	w, err := sim.ParseWorld([]byte("robots: [{name: r}]"))
	if err != nil {
		t.Fatal(err)
	}
	clock := sim.NewClock()
	s, err := sim.New(w, sim.Options{Seed: 1, Settled: true, Now: clock.Now, MaxCatchUp: -1})
	if err != nil {
		t.Fatal(err)
	}
	network := ros2test.NewNetwork()
	transport, outside := network.NewTransport(), network.NewTransport()
	o := simOptions{swarm: swarmOptions{speed: 1}}
	sole := o.soleRobot(w)
	log := slog.New(slog.DiscardHandler)
	robots, err := fleet.New(fleet.Config{Simulation: s, Transport: transport, Alone: true, Hardware: o.hardware(sole, log)})
	if err != nil {
		t.Fatal(err)
	}
	if err := sole.declare(&o.site); err != nil {
		t.Fatal(err)
	}
	var age atomic.Int64 // s
	o.world, o.seed = "of the test", 7
	trace := func() (h [sha256.Size]byte, at time.Duration) { return h, time.Duration(age.Load()) * time.Second }
	if err := sole.begin(t.Context(), o.facts(), trace); err != nil {
		t.Fatal(err)
	}
	run := &fleetRun{o: &o, sole: sole, sim: s}
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "simulation", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	if err := sole.whenLeft(func() error { return run.publishFacts(node) }); err != nil || run.facts.Load() != nil {
		t.Errorf("the facts are published twice: %v", err)
	}
	tool, err := ros2.NewNode(ros2.NodeConfig{Name: "tool", Transport: outside})
	if err != nil {
		t.Fatal(err)
	}
	start, err := ros2.NewClient[std_srvs.TriggerRequest, std_srvs.TriggerResponse](tool, std_srvs.Trigger{}, "/record/start")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := start.WaitAvailable(ctx); err != nil {
		t.Fatal(err)
	}
	for began := false; !began; { // the recorder begins on a goroutine of its own
		r, err := start.Call(ctx, &std_srvs.TriggerRequest{})
		if err != nil {
			t.Fatal(err)
		}
		began = r.Success
	}
	age.Store(5)
	if err := robots.Remove("r"); err != nil {
		t.Error(err)
	}
	found, err := filepath.Glob(filepath.Join(bags, "bags", "*", "metadata.yaml"))
	if err != nil || len(found) != 1 {
		t.Fatalf("recordings with metadata: %q, %v", found, err)
	}
	b, err := bag.Open(filepath.Dir(found[0]))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := blackbox.FactsIn(b)
	if err != nil || len(runs) != 1 || runs[0].World != o.world || runs[0].TraceAt != 5 || runs[0].Node != "/epuck_driver" || runs[0].Parameters["wheel_radius"] == "" {
		t.Errorf("facts at the end of the recording: %+v, %v", runs, err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if run.facts.Load() == nil {
		t.Error("nothing publishes the facts when the robot has left")
	}
	if err := sole.whenLeft(func() error { return fs.ErrClosed }); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("when it has left: %v", err)
	}
	if err := s.Remove("r"); err != nil {
		t.Fatal(err)
	}
	again, err := s.Spawn(w.Robots[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := robots.Add(again); err != nil {
		t.Fatal(err)
	}
	if node, _ := robots.NodeOf("r"); node.FullName() != "/r/epuck_driver" {
		t.Errorf("the robot that came later is %s", node.FullName())
	}
	sole.end()
	if err := robots.Close(); err != nil {
		t.Error(err)
	}
	_ = errors.Join(tool.Close(), node.Close())
}

// TestFactsAreNotRepeatedAtTheEnd: at the ordinary end of a run, where the recordings end before the robot is closed, the
// simulation does not publish the facts once more; when the robot leaves during the run, it does.
func TestFactsAreNotRepeatedAtTheEnd(t *testing.T) {
	for _, ends := range []bool{false, true} {
		sole, published := &soleRobot{name: "r"}, 0
		if err := sole.whenLeft(func() error { published++; return nil }); err != nil {
			t.Fatal(err)
		}
		if ends {
			sole.end()
		}
		sole.left("r")
		sole.left("r")
		if (published == 0) != ends || published > 1 {
			t.Errorf("the run has ended: %v: published %d times", ends, published)
		}
	}
}
