// SPDX-License-Identifier: Apache-2.0

package geom_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

func TestCross(t *testing.T) {
	inf := math.Inf(1)
	disc := geom.NewDisc(geom.Vec{X: 3}, 1, 1)
	box := geom.NewBox(geom.Vec{X: 3}, geom.Vec{X: 2, Y: 1}, 0, 1)
	turned := geom.NewBox(geom.Vec{X: 3}, geom.Vec{X: 1, Y: 2}, math.Pi/2, 1)
	arena := geom.NewEnclosure(geom.Vec{}, geom.Vec{X: 4, Y: 2}, 1)
	for _, c := range []struct {
		what   string
		shape  geom.Shape
		p, dir geom.Vec
		want   geom.Crossing
		ok     bool
	}{
		{"disc", disc, geom.Vec{}, geom.Vec{X: 1}, geom.Crossing{Enter: 2, Leave: 4, Normal: geom.Vec{X: -1}}, true},
		{"disc, half steps", disc, geom.Vec{}, geom.Vec{X: 2}, geom.Crossing{Enter: 1, Leave: 2, Normal: geom.Vec{X: -1}}, true},
		{"disc from inside", disc, geom.Vec{X: 3}, geom.Vec{Y: 1}, geom.Crossing{Leave: 1}, true},
		{"disc behind", disc, geom.Vec{}, geom.Vec{X: -1}, geom.Crossing{}, false},
		{"past the disc", disc, geom.Vec{Y: 1.01}, geom.Vec{X: 1}, geom.Crossing{}, false},
		{"box", box, geom.Vec{}, geom.Vec{X: 1}, geom.Crossing{Enter: 2, Leave: 4, Normal: geom.Vec{X: -1}}, true},
		{"box, turned", turned, geom.Vec{}, geom.Vec{X: 1}, geom.Crossing{Enter: 2, Leave: 4, Normal: geom.Vec{X: -1}}, true},
		{"box from its side", box, geom.Vec{X: 3, Y: 2}, geom.Vec{Y: -1}, geom.Crossing{Enter: 1.5, Leave: 2.5, Normal: geom.Vec{Y: 1}}, true},
		{"box from inside", box, geom.Vec{X: 3}, geom.Vec{X: 1}, geom.Crossing{Leave: 1}, true},
		{"box behind", box, geom.Vec{}, geom.Vec{X: -1}, geom.Crossing{}, false},
		{"past the box", box, geom.Vec{Y: 0.6}, geom.Vec{X: 1}, geom.Crossing{}, false},
		{"arena", arena, geom.Vec{X: 1}, geom.Vec{X: 1}, geom.Crossing{Enter: 1, Leave: inf, Normal: geom.Vec{X: -1}}, true},
		{"arena's side", arena, geom.Vec{}, geom.Vec{X: 0.5, Y: -1}, geom.Crossing{Enter: 1, Leave: inf, Normal: geom.Vec{Y: 1}}, true},
		{"outside the arena", arena, geom.Vec{X: 3}, geom.Vec{X: 1}, geom.Crossing{Leave: inf}, true},
	} {
		got, ok := c.shape.Cross(c.p, c.dir)
		if ok != c.ok {
			t.Errorf("%s: crossed is %v", c.what, ok)
		}
		if !ok {
			continue
		}
		for _, v := range [][2]float64{{got.Enter, c.want.Enter}, {got.Normal.X, c.want.Normal.X}, {got.Normal.Y, c.want.Normal.Y}} {
			if math.Abs(v[0]-v[1]) > 1e-12 {
				t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
			}
		}
		if got.Leave != c.want.Leave && math.Abs(got.Leave-c.want.Leave) > 1e-12 {
			t.Errorf("%s: leaves at %g, want %g", c.what, got.Leave, c.want.Leave)
		}
	}
}

// TestCrossAgreesWithRay: the sensors' rays and the camera's lines meet the same things at the same places, and a
// solid's outline is within its reach.
func TestCrossAgreesWithRay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coord := rapid.Float64Range(-2, 2)
		vec := func(name string) geom.Vec { return geom.Vec{X: coord.Draw(t, name+"x"), Y: coord.Draw(t, name+"y")} }
		size := geom.Vec{X: rapid.Float64Range(0.01, 1).Draw(t, "w"), Y: rapid.Float64Range(0.01, 1).Draw(t, "h")}
		s := [...]geom.Shape{
			geom.NewDisc(vec("c"), size.X, 1), geom.NewBox(vec("c"), size, coord.Draw(t, "yaw"), 1), geom.NewEnclosure(vec("c"), size, 1),
		}[rapid.IntRange(0, 2).Draw(t, "kind")]
		p, dir := vec("p"), geom.Direction(coord.Draw(t, "dir"))
		d, hit := s.Ray(p, dir)
		k := rapid.Float64Range(0.1, 3).Draw(t, "length")
		c, crossed := s.Cross(p, dir.Scale(k))
		if hit != crossed {
			if grazes := s.Kind() == geom.Disc; !grazes { // one is a rounding away from the other
				t.Fatalf("ray %v, cross %v", hit, crossed)
			}
			return
		}
		if !hit {
			return
		}
		if math.Abs(c.Enter*k-d) > 1e-6 {
			t.Fatalf("ray %g, cross %g", d, c.Enter*k)
		}
		if c.Enter > c.Leave || c.Enter < 0 || c.Normal != (geom.Vec{}) && math.Abs(c.Normal.Norm()-1) > 1e-6 {
			t.Fatalf("%+v", c)
		}
		if at := p.Add(dir.Scale(d)).Sub(s.Center()); c.Enter > 0 && at.Norm() > s.Reach()+1e-6 {
			t.Fatalf("met %g m from the middle, reach %g m", at.Norm(), s.Reach())
		}
	})
}
