// SPDX-License-Identifier: Apache-2.0

package geom_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

func TestRay(t *testing.T) {
	disc := geom.NewDisc(geom.Vec{X: 2}, 0.5, 1)
	box := geom.NewBox(geom.Vec{X: 2}, geom.Vec{X: 1, Y: 2}, 0, 1)
	turned := geom.NewBox(geom.Vec{X: 2}, geom.Vec{X: 1, Y: 1}, math.Pi/4, 1)
	arena := geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 4, Y: 2}, 1)
	for _, c := range []struct {
		name    string
		shape   geom.Shape
		from    geom.Vec
		heading float64
		want    float64 // negative: misses
	}{
		{"disc ahead", disc, geom.Vec{}, 0, 1.5},
		{"disc behind", disc, geom.Vec{}, math.Pi, -1},
		{"disc near", disc, geom.Vec{Y: 0.6}, 0, -1},
		{"disc grazed", disc, geom.Vec{Y: 0.3}, 0, 1.6},
		{"inside disc", disc, geom.Vec{X: 2.1}, 1, 0},
		{"box ahead", box, geom.Vec{}, 0, 1.5},
		{"box behind", box, geom.Vec{}, math.Pi, -1},
		{"box near", box, geom.Vec{Y: 1.1}, 0, -1},
		{"box from above", box, geom.Vec{X: 2, Y: 3}, -math.Pi / 2, 2},
		{"inside box", box, geom.Vec{X: 2}, 2, 0},
		{"corner of turned box", turned, geom.Vec{}, 0, 2 - math.Sqrt2/2},
		{"arena east", arena, geom.Vec{}, 0, 2},
		{"arena north", arena, geom.Vec{Y: 0.5}, math.Pi / 2, 0.5},
		{"arena corner", arena, geom.Vec{}, math.Atan2(1, 2), math.Sqrt(5)},
		{"outside arena", arena, geom.Vec{X: 3}, 0, 0},
	} {
		got, hit := c.shape.Ray(c.from, geom.Direction(c.heading))
		if hit != (c.want >= 0) || hit && math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, %v; want %v", c.name, got, hit, c.want)
		}
	}
}

// shapeNear draws any shape around the origin.
func shapeNear(t *rapid.T) geom.Shape {
	size := geom.Vec{X: rapid.Float64Range(0.05, 1).Draw(t, "sx"), Y: rapid.Float64Range(0.05, 1).Draw(t, "sy")}
	switch rapid.SampledFrom([]geom.Kind{geom.Disc, geom.Box, geom.Enclosure}).Draw(t, "kind") {
	case geom.Disc:
		return geom.NewDisc(vec(t, "center"), size.X, 1)
	case geom.Box:
		return geom.NewBox(vec(t, "center"), size, rapid.Float64Range(-3, 3).Draw(t, "yaw"), 1)
	default:
		return geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 5, Y: 5}, 1)
	}
}

// Where a ray ends a small circle touches the solid, and just before it not.
func TestRayEndsAtTheSurface(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shapeNear(t)
		from := vec(t, "from")
		dir := geom.Direction(rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "heading"))
		d, hit := s.Ray(from, dir)
		if !hit || d == 0 {
			t.Skip("misses or starts inside")
		}
		if _, touches := s.Push(from.Add(dir.Scale(d)), 1e-6); !touches {
			t.Fatalf("the ray ends %v m away, where nothing is", d)
		}
		if v, touches := s.Push(from.Add(dir.Scale(d*0.999)), 0); touches && v.Norm() > 1e-9 {
			t.Fatalf("the ray of %v m goes through the solid", d)
		}
	})
}

func TestRayDisc(t *testing.T) {
	if d, hit := geom.RayDisc(geom.Vec{X: -1}, geom.Vec{X: 1}, 0.25); !hit || d != 0.75 {
		t.Errorf("got %v, %v; want 0.75", d, hit)
	}
}
