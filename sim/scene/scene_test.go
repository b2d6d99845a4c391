// SPDX-License-Identifier: Apache-2.0

package scene_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/scene"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// noRobots is a world without robots, in which the name "robot" is taken.
type noRobots struct{ released []string }

func (*noRobots) All() []scene.Robot                        { return nil }
func (*noRobots) Around(geom.Vec, float64, []int32) []int32 { return nil }
func (*noRobots) Shaped() []scene.Shaped                    { return nil }
func (*noRobots) ContactReach() float64                     { return 0.015 }
func (*noRobots) Name(int) string                           { return "" }
func (*noRobots) Named(name string) bool                    { return name == "robot" }
func (n *noRobots) Release(name string) func() {
	n.released = append(n.released, name)
	return func() {}
}

func build(t *testing.T, text string) (*scene.Scene, *noRobots) {
	t.Helper()
	w, err := world.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, robots := new(scene.Scene), new(noRobots)
	s.Build(w, scene.Config{Robots: robots, Trace: true})
	return s, robots
}

func puck(name string, x float64) scene.Thing {
	return scene.Thing{Name: name, Shape: geom.NewDisc(geom.Vec{X: x}, 0.03, 0.05)}
}

func TestThingsArePutAndTaken(t *testing.T) {
	s, robots := build(t, "boxes: [{name: box, position: [1, 0], size: [0.1, 0.1]}]\nrobots: [{name: robot}]")
	load := world.Load{Movable: true, Mass: 0.02, Friction: 0.3}
	for name, want := range map[string]error{"box": world.ErrWorld, "robot": world.ErrWorld, "": scene.ErrRange} {
		if err := s.Put(puck(name, 0), load); !errors.Is(err, want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := s.Put(puck("inside", 1), load); !errors.Is(err, scene.ErrOccupied) {
		t.Errorf("in a box: %v", err)
	}
	if !s.Static() {
		t.Error("a world in which nothing moves is not static")
	}
	if err := s.Put(puck("puck", 0), load); err != nil {
		t.Fatal(err)
	}
	if name, _, ok := s.NearestMovable(geom.Vec{X: 0.05}, 0.1, func(string) bool { return true }); name != "puck" || !ok {
		t.Errorf("the nearest is %q", name)
	}
	s.CarryMovable("puck", geom.Pose{X: 0.5}, 1)
	if at := s.Things()[1].Shape.Center(); at != (geom.Vec{X: 0.5}) || s.Static() || s.Moving() {
		t.Errorf("carried to %v, static %t, moving %t", at, s.Static(), s.Moving())
	}
	traced, err := s.Take("puck")
	if err != nil || len(traced) == 0 || !slices.Equal(robots.released, []string{"puck"}) {
		t.Errorf("taken: %v, trace of %d bytes, released from %q", err, len(traced), robots.released)
	}
	if _, err := s.Take("box"); !errors.Is(err, scene.ErrNoThing) {
		t.Errorf("a thing of the world file is taken: %v", err)
	}
}

func TestPersonsWalkAndWait(t *testing.T) {
	s, _ := build(t, "boxes: [{name: box, position: [0.3, 0], size: [0.1, 0.1]}]\nrobots: [{name: robot}]")
	p := scene.Person{Name: "p", Radius: 0.1, Speed: 0.5, Path: []geom.Vec{{X: 1}}}
	if err := s.Admit(p); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		s.Walk()
	}
	if at := s.Persons()[0]; !at.Blocked || math.Abs(at.Pose.X-0.15) > 0.006 || !s.Moving() {
		t.Errorf("before a box: %+v", at)
	}
	if err := s.Move("box", geom.Pose{X: 3}); err != nil {
		t.Fatal(err)
	}
	for range 300 {
		s.Walk()
	}
	if at := s.Persons()[0]; at.Pose.X != 1 || s.Moving() {
		t.Errorf("at the end of the path: %+v", at)
	}
}

// A grid finds all who are near a place, also when they have moved since by less than Strayed allows.
func TestGridFindsWhoIsNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "robots")
		coordinate := rapid.Float64Range(-1, 1)
		var g scene.Grid
		bodies, at := make([]scene.Body, n), make([]geom.Vec, n)
		for i := range at {
			bodies[i] = scene.Body{Radius: physics.BodyRadius, MaxWay: scene.CycleWay}
			at[i] = geom.Vec{X: coordinate.Draw(t, "x"), Y: coordinate.Draw(t, "y")}
		}
		if steps := g.Measure(bodies); steps < 1 || !g.Scattered() {
			t.Fatalf("%d cycles a step, scattered %t", steps, g.Scattered())
		}
		spot := func(i int) scene.Spot { return scene.Spot{At: at[i], Disc: true} }
		g.Sort(n, spot, spot)
		for i := range at { // until the grid must be sorted again
			way := geom.Direction(rapid.Float64Range(-3, 3).Draw(t, "direction")).Scale(scene.CycleWay)
			for !g.Scattered() {
				at[i] = at[i].Add(way)
				g.Strayed(i, at[i])
			}
			if at[i].Sub(g.Anchor(i).At).Norm() > physics.CrowdSlack {
				t.Fatalf("%d is at %v, and the grid has it at %v", i, at[i], g.Anchor(i).At)
			}
			g.SortNoted()
			at[i] = g.Anchor(i).At
		}
		place, reach := geom.Vec{X: coordinate.Draw(t, "place x"), Y: coordinate.Draw(t, "place y")}, rapid.Float64Range(0.01, 1).Draw(t, "reach")
		found := g.Crowd().Around(place, reach, nil)
		for i := range at {
			if at[i].Sub(place).Norm() < reach && !slices.Contains(found, int32(i)) {
				t.Fatalf("%d is %g m away and not found", i, at[i].Sub(place).Norm())
			}
		}
	})
}
