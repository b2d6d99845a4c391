// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// TestDefaultWorldsGrow: any number of robots fits into the worlds arena and empty, however they are distributed, with
// the promised area for each, and the simulation accepts them.
func TestDefaultWorldsGrow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, err := sim.LoadWorld(rapid.SampledFrom([]string{"arena", "empty"}).Draw(rt, "world"))
		if err != nil {
			rt.Fatal(err)
		}
		n := rapid.IntRange(1, 200).Draw(rt, "robots")
		how := rapid.SampledFrom(sim.Distributions()).Draw(rt, "how")
		if err := sim.Distribute(w, n, how, rapid.Uint64().Draw(rt, "seed")); err != nil {
			rt.Fatal(err)
		}
		if area := w.Arena.Size[0] * w.Arena.Size[1]; area < float64(n)/26 || len(w.Robots) != n {
			rt.Errorf("%d robots, %g m²", len(w.Robots), area)
		}
		for _, r := range w.Robots {
			if math.Abs(r.Position[0]) > w.Arena.Size[0]/2 || math.Abs(r.Position[1]) > w.Arena.Size[1]/2 {
				rt.Errorf("%s at %v is outside of %v", r.Name, r.Position, w.Arena.Size)
			}
		}
		if _, err := sim.New(w, sim.Options{}); err != nil {
			rt.Error(err)
		}
	})
}

// TestArenasKeepTheirSize: an arena in which the robots have space does not grow, nor one that may not, nor the arena
// of a world from which the changed one was copied.
func TestArenasKeepTheirSize(t *testing.T) {
	for name, n := range map[string]int{"arena": 25, "empty": 100} {
		w, err := sim.LoadWorld(name)
		if err != nil {
			t.Fatal(err)
		}
		before, other := w.Arena.Size, *w
		if err := sim.Distribute(w, n, sim.Uniform, 1); err != nil || w.Arena.Size != before {
			t.Errorf("%s with %d robots: %v → %v, %v", name, n, before, w.Arena.Size, err)
		}
		if err := sim.Distribute(w, 20*n, sim.Uniform, 1); err != nil || w.Arena.Size[0] <= before[0] || other.Arena.Size != before {
			t.Errorf("%s with %d robots: %v → %v, the other %v, %v", name, 20*n, before, w.Arena.Size, other.Arena.Size, err)
		}
	}
	w, err := sim.ParseWorld([]byte("arena: {size: [1, 1]}\nrobots: [{name: r}]"))
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Distribute(w, 300, sim.Uniform, 1); !errors.Is(err, sim.ErrOccupied) || w.Arena.Size != (world.Point{1, 1}) {
		t.Errorf("an arena that may not grow: %v, %v", w.Arena.Size, err)
	}
}

// TestArenaOutgrowsItsLimit: robots for which no arena is large enough are an error.
func TestArenaOutgrowsItsLimit(t *testing.T) {
	w, err := sim.LoadWorld("empty")
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Distribute(w, world.MaxRobots, sim.Ring, 1); !errors.Is(err, sim.ErrOccupied) {
		t.Error(err)
	}
}
