// SPDX-License-Identifier: Apache-2.0

package geom_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

func anyShape(t *rapid.T, label string, arena bool) geom.Shape {
	in := func(what string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, label+what) }
	at := geom.Vec{X: in("x", -1, 1), Y: in("y", -1, 1)}
	kinds := 2
	if arena {
		kinds = 3
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, label) {
	case 0:
		return geom.NewDisc(at, in("r", 0.01, 0.5), 0.1)
	case 1:
		return geom.NewBox(at, geom.Vec{X: in("w", 0.01, 1), Y: in("h", 0.01, 1)}, in("yaw", -3, 3), 0.1)
	}
	return geom.NewEnclosure(geom.Vec{}, geom.Vec{X: in("w", 4, 6), Y: in("h", 4, 6)}, 0.1)
}

// Moved as Apart says, two shapes overlap no more; where it says that they don't, their boundaries don't cross.
func TestApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, o := anyShape(t, "s", true), anyShape(t, "o", false)
		v, hit := s.Apart(&o)
		if !hit {
			if v != (geom.Vec{}) {
				t.Fatalf("no overlap, but a move %v", v)
			}
			for _, p := range o.Outline(64) {
				if q, deep := s.Push(p, 0); deep && q.Norm() > 0.01 { // a disc's polygon is around it
					t.Fatalf("%v of the outline is %g m deep in what it does not touch", p, q.Norm())
				}
			}
			return
		}
		moved := o.Moved(o.Center().Add(v), o.Yaw())
		if more, again := s.Apart(&moved); again && more.Norm() > 1e-6 {
			t.Fatalf("moved by %v it needs %v more", v, more)
		}
		if less := o.Moved(o.Center().Add(v.Scale(0.9)), o.Yaw()); v.Norm() > 1e-3 {
			if _, still := s.Apart(&less); !still {
				t.Fatalf("%v is more than it needs", v)
			}
		}
	})
}

// A shape that a body carries turns with it.
func TestCarried(t *testing.T) {
	box := geom.NewBox(geom.Vec{X: 0.1}, geom.Vec{X: 0.2, Y: 0.1}, 0, 0.3)
	got := box.Carried(geom.Vec{X: 1, Y: 2}, geom.Direction(math.Pi/2))
	if c := got.Center().Sub(geom.Vec{X: 1, Y: 2.1}); c.Norm() > 1e-12 || math.Abs(got.Yaw()-math.Pi/2) > 1e-12 || got.Height() != 0.3 {
		t.Errorf("%+v", got)
	}
	to := geom.NewDisc(geom.Vec{X: 9}, 1, 1)
	if box.CarryTo(&to, geom.Vec{X: 1, Y: 2}, geom.Direction(math.Pi/2)); to != got {
		t.Errorf("carried to a place: %+v, not %+v", to, got)
	}
}

func TestHolds(t *testing.T) {
	big, small := geom.NewDisc(geom.Vec{}, 0.1, 1), geom.NewBox(geom.Vec{X: 0.02}, geom.Vec{X: 0.1, Y: 0.1}, 0.5, 1)
	if !big.Holds(&small, 0) || small.Holds(&big, 0) {
		t.Error("a box in a disc")
	}
	far := geom.NewBox(geom.Vec{X: 0.09}, geom.Vec{X: 0.1, Y: 0.1}, 0, 1)
	if big.Holds(&far, 0) || !big.Holds(&far, 0.1) {
		t.Error("a box half in a disc")
	}
	coin := geom.NewDisc(geom.Vec{X: 0.02}, 0.04, 1)
	if !small.Holds(&coin, 0) {
		t.Error("a disc in a box")
	}
}
