// SPDX-License-Identifier: Apache-2.0

package geom_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// vec draws a point within ±2 m.
func vec(t *rapid.T, name string) geom.Vec {
	return geom.Vec{
		X: rapid.Float64Range(-2, 2).Draw(t, name+".x"),
		Y: rapid.Float64Range(-2, 2).Draw(t, name+".y"),
	}
}

func TestRotateAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := vec(t, "v")
		r := geom.Direction(rapid.Float64Range(-4, 4).Draw(t, "angle"))
		if back := v.Rotate(r).Unrotate(r); back.Sub(v).Norm() > 1e-14 {
			t.Fatalf("%v came back as %v", v, back)
		}
		if l := v.Rotate(r).Norm(); math.Abs(l-v.Norm()) > 1e-14 {
			t.Fatalf("length %v became %v", v.Norm(), l)
		}
	})
}

func TestTransform(t *testing.T) {
	p := geom.Pose{X: 1, Y: 2, Theta: math.Pi / 2}
	if got := p.Transform(geom.Vec{X: 0.5}); got.Sub(geom.Vec{X: 1, Y: 2.5}).Norm() > 1e-15 {
		t.Errorf("half a metre ahead is at %v, want (1, 2.5)", got)
	}
}

func TestShapesReportTheirKind(t *testing.T) {
	wall := geom.NewWall(geom.Vec{X: -1}, geom.Vec{X: 1}, 0.1, 0.2)
	disc := geom.NewDisc(geom.Vec{Y: 3}, 0.5, 0.3)
	arena := geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 2, Y: 2}, 0.4)
	for _, c := range []struct {
		shape  geom.Shape
		kind   geom.Kind
		center geom.Vec
		height float64
	}{
		{wall, geom.Box, geom.Vec{}, 0.2},
		{disc, geom.Disc, geom.Vec{Y: 3}, 0.3},
		{arena, geom.Enclosure, geom.Vec{}, 0.4},
	} {
		if c.shape.Kind() != c.kind || c.shape.Center() != c.center || c.shape.Height() != c.height {
			t.Errorf("got kind %v at %v, %v m high; want %v at %v, %v m",
				c.shape.Kind(), c.shape.Center(), c.shape.Height(), c.kind, c.center, c.height)
		}
	}
}

func TestMovedShapeIsWhereItWasPut(t *testing.T) {
	wall := geom.NewWall(geom.Vec{}, geom.Vec{X: 1}, 0.1, 1).Moved(geom.Vec{X: 5, Y: 5}, math.Pi/2)
	d, hit := wall.Ray(geom.Vec{X: 4, Y: 5.45}, geom.Vec{X: 1})
	if !hit || math.Abs(d-0.95) > 1e-12 {
		t.Errorf("the turned wall is hit after %v (%v), want 0.95", d, hit)
	}
	if !wall.Near(geom.Vec{X: 5, Y: 5.9}, 0.5) || wall.Near(geom.Vec{}, 0.5) {
		t.Error("the moved wall is near where it was, or not where it is")
	}
}

// A pillar from a wall of no length keeps its square shape.
func TestWallOfNoLength(t *testing.T) {
	w := geom.NewWall(geom.Vec{X: 1, Y: 1}, geom.Vec{X: 1, Y: 1}, 0.2, 1)
	d, hit := w.Ray(geom.Vec{X: 1, Y: 0}, geom.Vec{Y: 1})
	if !hit || math.Abs(d-0.9) > 1e-12 {
		t.Errorf("distance %v (%v), want 0.9", d, hit)
	}
}

func ExampleShape_Ray() {
	post := geom.NewDisc(geom.Vec{X: 1}, 0.25, 0.1)
	d, hit := post.Ray(geom.Vec{}, geom.Vec{X: 1})
	fmt.Println(d, hit)
	// Output: 0.75 true
}
