// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/library"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// arena is a world with a robot before a wall, and two that look at each other.
const arena = `
name: arena
arena: {center: [0, 0], size: [2, 2]}
floor: {reflectance: 0.5}
lights: [{name: lamp, position: [0, 0, 0.5], intensity: 0.2}]
robots:
  - {name: a, level: functional, position: [0.9, 0]}
  - {name: b, level: functional, position: [-0.5, 0.5]}
  - {name: c, level: functional, position: [-0.3, 0.5], yaw: 3.141592653589793}
`

// mechanisms makes robots by their descriptions: those of the library, and "probe", which has one of each device.
func mechanisms(w *world.Robot, site *sim.Environment, src noise.Source) (sim.Mechanism, error) {
	load := func(name string) (*description.Robot, error) {
		if name != "probe" {
			return library.Load(name)
		}
		text, err := os.ReadFile("testdata/probe.proto")
		if err != nil {
			return nil, err
		}
		return library.Parse("probe.proto", text)
	}
	return machine.Maker(library.Parse, load)(w, site, src)
}

// rig is a server that runs, with the world that it holds.
type rig struct {
	t      testing.TB
	sim    *sim.Simulation
	clock  *sim.Clock
	server *webots.Server
	ended  chan error
	stop   context.CancelFunc
}

// serve runs a world for controllers.
func serve(t testing.TB, world string, change func(c *webots.Config)) *rig {
	t.Helper()
	return serveFile(t, world, "", change)
}

// serveFile runs a world whose robots with a model are of a description, if it is not empty.
func serveFile(t testing.TB, world, description string, change func(c *webots.Config)) *rig {
	t.Helper()
	w, err := sim.ParseWorld([]byte(world))
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Robots {
		if description != "" {
			w.Robots[i].Description = []byte(description)
		}
	}
	g := &rig{t: t, clock: sim.NewClock(), ended: make(chan error, 1)}
	begun := g.clock.Now()
	if g.sim, err = sim.New(w, sim.Options{Seed: 1, Now: g.clock.Now, MaxCatchUp: -1, Trace: true, Settled: true, Quiet: true, Mechanisms: mechanisms}); err != nil {
		t.Fatal(err)
	}
	cfg := webots.Config{Simulation: g.sim, World: "arena", Address: "127.0.0.1:0"}
	if change != nil {
		change(&cfg)
	}
	if g.server, err = webots.New(cfg); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	g.stop = cancel
	task.Go("server", func() {
		g.ended <- g.server.Run(ctx, func(age time.Duration) error {
			g.clock.Sleep(begun.Add(age).Sub(g.clock.Now()))
			g.sim.Elapsed()
			return nil
		})
	})
	t.Cleanup(func() {
		cancel()
		if err := <-g.ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return g
}
