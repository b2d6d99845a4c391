// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// TestGridFindsWhatATestOfAllShapesFinds: among shapes of which some move, as many as are in no grid and more, with
// loose ones behind them, wherever the movable ones have been pushed: the same shapes, in the same order.
func TestGridFindsWhatATestOfAllShapesFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, "number") }
		place := func() geom.Vec { return geom.Vec{X: number(-2, 2), Y: number(-2, 2)} }
		shapes := []geom.Shape{geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 4, Y: 4}, 0.1)}
		for range rapid.IntRange(1, 60).Draw(t, "shapes") {
			if rapid.Bool().Draw(t, "box") {
				shapes = append(shapes, geom.NewBox(place(), geom.Vec{X: number(0.01, 0.6), Y: number(0.01, 0.6)}, number(-3, 3), 0.1))
			} else {
				shapes = append(shapes, geom.NewDisc(place(), number(0.005, 0.1), 0.1))
			}
		}
		s := NewScene(shapes, nil, 1)
		for i := 1; i < len(shapes); i++ {
			if rapid.IntRange(0, 3).Draw(t, "moves") > 0 {
				s.SetMovable(i)
			}
		}
		s.AddLoose(geom.NewDisc(place(), 0.2, 0.1))
		for range 10 {
			if i := rapid.IntRange(1, len(shapes)-1).Draw(t, "shoved"); s.Movable(int32(i)) {
				moved := s.Ref(int32(i)).Moved(s.Ref(int32(i)).Center().Add(geom.Vec{X: number(-0.5, 0.5), Y: number(-0.05, 0.05)}), 0)
				s.PlaceMovable(i, &moved)
			}
			at, reach := place(), number(0, 1)
			if rapid.IntRange(0, 9).Draw(t, "far") == 0 {
				reach = number(0, 1e12)
			}
			checkPlace(t, s, at, reach)
			checkLine(t, s, at, place())
			checkLine(t, s, at, geom.Vec{X: at.X, Y: number(-2, 2)})
			checkLine(t, s, at, geom.Vec{X: number(-2000, 2), Y: at.Y})
		}
	})
}

// checkPlace compares the shapes within reach of a place that are found in cells with those found among all: of those
// that do not move, whose cells have their outlines, some of which only the circle around is within reach are left out.
func checkPlace(t *rapid.T, s *Scene, at geom.Vec, reach float64) {
	got := s.Around(at, reach, nil)
	if !slices.IsSorted(got) {
		t.Fatalf("within %g m of %v: %v", reach, at, got)
	}
	for i := range int32(s.Shapes()) {
		_, within := s.Ref(i).Push(at, reach)
		near, found := s.Ref(i).Near(at, reach), slices.Contains(got, i)
		if found && !near || within && !found || s.Movable(i) && found != near {
			t.Fatalf("within %g m of %v: shape %d, found %t, near %t, within %t", reach, at, i, found, near, within)
		}
	}
}

// checkLine compares the shapes on a line between two points that are found in cells with those found among all.
func checkLine(t *rapid.T, s *Scene, from, to geom.Vec) {
	way := to.Sub(from)
	length := way.Norm()
	if length == 0 {
		return
	}
	hits := func(i int32) bool {
		d, hit := s.Ref(i).Ray(from, way.Scale(1/length))
		return hit && d < length
	}
	var found []int32
	s.lattice.any(from, to, func(i int32) bool {
		if hits(i) && !slices.Contains(found, i) {
			found = append(found, i)
		}
		return false
	})
	slices.Sort(found)
	var want []int32
	for i := range int32(s.Shapes()) {
		if hits(i) {
			want = append(want, i)
		}
	}
	if !slices.Equal(found, want) {
		t.Fatalf("from %v to %v: %v, want %v", from, to, found, want)
	}
}

// TestMovableShapesAreFoundByTheirCells: of a thousand pucks few are looked at for a line, also after they
// have been pushed across the world.
func TestMovableShapesAreFoundByTheirCells(t *testing.T) {
	var shapes []geom.Shape
	for i := range 1000 {
		shapes = append(shapes, geom.NewDisc(geom.Vec{X: 0.1 * float64(i%40), Y: 0.1 * float64(i/40)}, 0.02, 0.1))
	}
	s := NewScene(shapes, nil, 1)
	for i := range shapes {
		s.SetMovable(i)
	}
	for _, shift := range []float64{0, 50} {
		for i := range shapes {
			moved := shapes[i].Moved(shapes[i].Center().Add(geom.Vec{X: shift}), 0)
			s.PlaceMovable(i, &moved)
		}
		asked := 0
		s.lattice.any(geom.Vec{X: shift + 1, Y: 1}, geom.Vec{X: shift + 2, Y: 1.5}, func(int32) bool {
			asked++
			return false
		})
		if asked == 0 || asked > 200 {
			t.Errorf("%g m away, %d of 1000 are looked at for a line of a metre", shift, asked)
		}
	}
}
