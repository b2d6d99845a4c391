// SPDX-License-Identifier: Apache-2.0

package physics_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// floor returns a scene with nothing but a floor.
func floor(f physics.Floor) *physics.Scene {
	s := physics.NewScene(nil, nil, 2)
	s.SetFloor(&f)
	return s
}

func TestFloorWithoutAnything(t *testing.T) {
	s := physics.NewScene(nil, nil, 2)
	near(t, "no floor described", s.Reflectance(geom.Vec{X: 1}), 1, 0)
	near(t, "bare floor", floor(physics.Floor{Bare: 0.7}).Reflectance(geom.Vec{X: 1}), 0.7, 1e-12)
	near(t, "light under a robot", s.Underneath(false), 0.2, 1e-12)
	near(t, "light under a lifted robot", s.Underneath(true), 2, 1e-12)
}

// Points well within and well outside of each painted form.
func TestPatches(t *testing.T) {
	point := func(x, y float64) geom.Vec { return geom.Vec{X: x, Y: y} }
	for _, c := range []struct {
		name    string
		patch   physics.Patch
		in, out []geom.Vec
	}{
		{
			"stripe", physics.NewStripe(point(0, 0), point(0.3, 0.3), 0.02, 0.1),
			[]geom.Vec{{}, point(0.15, 0.15), point(0.305, 0.305), point(0.152, 0.146)},
			[]geom.Vec{point(0.15, 0.17), point(0.32, 0.32), point(-0.02, 0)},
		},
		{"stripe without length", physics.NewStripe(point(1, 1), point(1, 1), 0.02, 0.1), []geom.Vec{point(1, 1)}, []geom.Vec{{}}},
		{
			"ring", physics.NewRing(point(1, 0), 0.2, 0.02, 0.1),
			[]geom.Vec{point(1.2, 0), point(0.8, 0), point(1, 0.207), point(1, -0.193)},
			[]geom.Vec{point(1, 0), point(1.22, 0), point(1.18, 0)},
		},
		{"disc", physics.NewRing(point(1, 0), 0.2, 0, 0.1), []geom.Vec{point(1, 0), point(1.19, 0)}, []geom.Vec{point(1.21, 0)}},
		{
			"checker", physics.NewChecker(point(0, 0), point(0.4, 0.2), 0.1, 0.1),
			[]geom.Vec{point(-0.15, -0.05), point(0.05, -0.05), point(-0.05, 0.05), point(0.15, 0.05)},
			[]geom.Vec{point(-0.05, -0.05), point(0.15, -0.05), point(-0.15, 0.05), point(0.25, -0.05), point(-0.05, 0.15), point(-0.25, 0.05)},
		},
	} {
		s := floor(physics.Floor{Bare: 0.9, Patches: []physics.Patch{c.patch}})
		for _, p := range c.in {
			near(t, c.name+" inside", s.Reflectance(p), 0.1, 1e-12)
		}
		for _, p := range c.out {
			near(t, c.name+" outside", s.Reflectance(p), 0.9, 1e-12)
		}
	}
}

// What is painted later covers what was before, both cover the picture.
func TestPaintCoversPaint(t *testing.T) {
	f := physics.Floor{
		Bare: 1,
		Picture: &physics.Picture{
			Columns: 2, Rows: 2, Cell: 0.5, Origin: geom.Vec{X: -0.5, Y: -0.5}, Cells: []byte{0, 51, 102, 153},
		},
		Patches: []physics.Patch{
			physics.NewRing(geom.Vec{}, 0.1, 0, 0.5), physics.NewRing(geom.Vec{}, 0.05, 0, 0.25),
		},
	}
	s := floor(f)
	for _, c := range []struct{ x, y, want float64 }{
		{0, 0, 0.25}, {0.07, 0, 0.5}, {-0.3, -0.3, 0}, {0.3, -0.3, 0.2}, {-0.3, 0.3, 0.4}, {0.3, 0.3, 0.6},
		{0.6, 0, 1}, {0, -0.6, 1}, {-0.51, 0, 1}, {0, 0.51, 1},
	} {
		near(t, "reflectance", s.Reflectance(geom.Vec{X: c.x, Y: c.y}), c.want, 1e-12)
	}
}

// Across an edge the reading changes over the width of the spot.
func TestEdgeIsSoft(t *testing.T) {
	s := floor(physics.Floor{Bare: 1, Patches: []physics.Patch{physics.NewChecker(geom.Vec{X: 0.5}, geom.Vec{X: 1, Y: 2}, 2, 0)}})
	last := 1.0
	for x := -0.003; x < 0.003; x += 0.0001 {
		v := s.Reflectance(geom.Vec{X: x})
		if v > last {
			t.Fatalf("reflectance rises to %v at %v", v, x)
		}
		last = v
	}
	near(t, "dark side", last, 0, 0)
	near(t, "edge", s.Reflectance(geom.Vec{X: -1e-6}), 0.8, 1e-9)
}
