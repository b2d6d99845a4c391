// SPDX-License-Identifier: Apache-2.0

package plant_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/functional"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/plant"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// wanderer drives straight and turns where something is before it.
type wanderer struct{ steps int }

func (w *wanderer) Step(c *functional.Control) {
	w.steps++
	switch p := c.Proximity(); {
	case p[0]+p[7] > 200 && w.steps%7 != 0:
		c.SetWheels(7, -7)
	case w.steps%20 < 15:
		c.SetWheels(7, 6.5)
	default:
		c.SetWheels(-7, -6)
	}
}

// pack makes a square arena of a side (m) with about n robots.
func pack(t *rapid.T, n int, side float64, periods []int) (x *plant.World, sleep func(time.Duration)) {
	w, err := world.Parse(fmt.Appendf(nil, "arena: {size: [%g, %g]}\nrobots: [{name: r, level: functional}]", side, side))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(0, 0)
	x = new(plant.World)
	x.Init(w, plant.Config{Seed: 1, Now: func() time.Time { return now }})
	dice := noise.New(7)
	var places []geom.Vec
	for i := range 200 * n {
		at := geom.Vec{X: (dice.Float64(uint64(2*i)) - 0.5) * (side - 0.1), Y: (dice.Float64(uint64(2*i+1)) - 0.5) * (side - 0.1)}
		close := func(o geom.Vec) bool { return o.Sub(at).Norm() < 2*physics.BodyRadius+0.002 }
		if len(places) == n || slices.ContainsFunc(places, close) {
			continue
		}
		made := w.Robots[0]
		made.Name, made.Position, made.Yaw = fmt.Sprint("r", len(places)), world.Point{at.X, at.Y}, float64(i)
		r, u := functional.New(x, &made, x.Source(made.Name))
		x.Add(u)
		if err := r.SetController(&wanderer{}, time.Duration(periods[len(places)%len(periods)])*10*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		places = append(places, at)
	}
	return x, func(d time.Duration) {
		now = now.Add(d)
		x.Kernel.CatchUp()
	}
}

func TestAllThatMeetInTheNextCyclesAreKnown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "robots")
		side := math.Sqrt(float64(n)/rapid.Float64Range(20, 70).Draw(t, "density")) + 0.1
		x, sleep := pack(t, n, side, rapid.SliceOfN(rapid.SampledFrom([]int{1, 4, 10, 15}), 1, 3).Draw(t, "periods"))
		for range rapid.IntRange(1, 20).Draw(t, "looks") {
			sleep(time.Duration(rapid.IntRange(1, 300).Draw(t, "ms")) * time.Millisecond)
			x.SortedGrid()
			var meets [][]int32
			for _, u := range x.Units() {
				meets = append(meets, slices.Clone(u.Meet()))
			}
			sleep(time.Duration(rapid.IntRange(0, kernel.MaxStep).Draw(t, "cycles")) * kernel.CycleTime)
			for i, u := range x.Units() {
				for k, o := range x.Units() {
					apart := o.Position().Sub(u.Position()).Norm()
					if i != k && apart < 2*physics.BodyRadius+scene.CycleWay && !slices.Contains(meets[i], int32(k)) {
						t.Fatalf("%s does not know %s, %g m away", u.Name(), o.Name(), apart)
					}
				}
			}
		}
	})
}

func TestGridIsSortedBeforeARobotIsTooFarFromItsPlaceThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, sleep := pack(t, rapid.IntRange(1, 20).Draw(t, "robots"), 1, []int{10})
		for range rapid.IntRange(1, 6).Draw(t, "looks") {
			sleep(time.Duration(rapid.IntRange(1, 700).Draw(t, "ms")) * time.Millisecond)
			for _, u := range x.Units() {
				if way := u.Position().Sub(u.Anchor()).Norm(); way > physics.CrowdSlack {
					t.Fatalf("%s is %g m from where the grid has it", u.Name(), way)
				}
			}
		}
	})
}
