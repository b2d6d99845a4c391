// SPDX-License-Identifier: Apache-2.0

package geom

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestContactsOfKnownPairs: places, normals and gaps that are plain to see.
func TestContactsOfKnownPairs(t *testing.T) {
	disc := func(x, y, r float64) Shape { return NewDisc(Vec{x, y}, r, 0.1) }
	box := func(x, y, sx, sy float64) Shape { return NewBox(Vec{x, y}, Vec{sx, sy}, 0, 0.1) }
	for name, c := range map[string]struct {
		s, o Shape
		want []Contact
	}{
		"discs":           {disc(0, 0, 0.1), disc(0.25, 0, 0.1), []Contact{{Vec{0.1, 0}, Vec{1, 0}, 0.05}}},
		"disc at a side":  {box(0, 0, 0.2, 0.2), disc(0, 0.16, 0.05), []Contact{{Vec{0, 0.1}, Vec{0, 1}, 0.01}}},
		"box at a disc":   {disc(0, 0.16, 0.05), box(0, 0, 0.2, 0.2), []Contact{{Vec{0, 0.1}, Vec{0, -1}, 0.01}}},
		"far":             {disc(0, 0, 0.1), disc(1, 0, 0.1), nil},
		"boxes, two ends": {box(0, 0, 0.2, 0.2), box(0.21, 0.05, 0.2, 0.2), []Contact{{Vec{0.11, -0.05}, Vec{1, 0}, 0.01}, {Vec{0.11, 0.1}, Vec{1, 0}, 0.01}}},
		"corner":          {box(0, 0, 0.2, 0.2), box(0.21, 0.3, 0.2, 0.2), nil},
		"arena and disc":  {NewEnclosure(Vec{}, Vec{1, 1}, 0.1), disc(0.44, 0, 0.05), []Contact{{Vec{0.49, 0}, Vec{-1, 0}, 0.01}}},
		"arena and box":   {NewEnclosure(Vec{}, Vec{1, 1}, 0.1), box(0, -0.39, 0.2, 0.2), []Contact{{Vec{-0.1, -0.49}, Vec{0, 1}, 0.01}, {Vec{0.1, -0.49}, Vec{0, 1}, 0.01}}},
	} {
		got := c.s.Contacts(&c.o, 0.06, nil)
		if len(got) != len(c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
			continue
		}
		for i, g := range got {
			w := c.want[i]
			if g.At.Sub(w.At).Norm() > 1e-12 || g.Normal.Sub(w.Normal).Norm() > 1e-12 || math.Abs(g.Gap-w.Gap) > 1e-12 {
				t.Errorf("%s: %d: %+v, want %+v", name, i, g, w)
			}
		}
	}
}

// TestContactsAgreeWithApart: shapes that overlap have a contact that says so, and its depth is that of Apart.
func TestContactsAgreeWithApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := func(name string) Shape {
			at := Vec{rapid.Float64Range(-0.2, 0.2).Draw(t, name+" x"), rapid.Float64Range(-0.2, 0.2).Draw(t, name+" y")}
			if rapid.Bool().Draw(t, name+" is a disc") {
				return NewDisc(at, rapid.Float64Range(0.01, 0.1).Draw(t, name+" radius"), 0.1)
			}
			size := Vec{rapid.Float64Range(0.02, 0.2).Draw(t, name+" length"), rapid.Float64Range(0.02, 0.2).Draw(t, name+" width")}
			return NewBox(at, size, rapid.Float64Range(-4, 4).Draw(t, name+" yaw"), 0.1)
		}
		a, b := shape("a"), shape("b")
		move, hit := a.Apart(&b)
		least := math.Inf(1)
		for _, c := range a.Contacts(&b, 0, nil) {
			least = min(least, c.Gap)
			if math.Abs(c.Normal.Norm()-1) > 1e-12 {
				t.Fatalf("normal %v", c.Normal)
			}
		}
		if hit && least > 1e-9-0.999*move.Norm() && move.Norm() > 1e-9 {
			t.Fatalf("Apart says %g m, the deepest contact %g m", move.Norm(), -least)
		}
		if !hit && least < -1e-9 {
			t.Fatalf("apart, but a contact is %g m deep", -least)
		}
	})
}

// TestContactsLieOnBothShapes: the place of a contact is on the outline of one shape, and a gap farther along the
// normal on that of the other.
func TestContactsAreOnBothShapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, name) }
		a := NewBox(Vec{}, Vec{num("length", 0.05, 0.3), num("width", 0.05, 0.3)}, num("yaw", -3, 3), 0.1)
		b := NewDisc(Vec{num("x", -0.3, 0.3), num("y", -0.3, 0.3)}, num("radius", 0.01, 0.1), 0.1)
		for _, c := range a.Contacts(&b, 0.2, nil) {
			if v, _ := a.Push(c.At, 0); v.Norm() > 1e-9 && c.Gap > 0 {
				t.Fatalf("%v is %g m in the box", c.At, v.Norm())
			}
			d := c.At.Add(c.Normal.Scale(c.Gap)).Sub(b.Center()).Norm()
			if c.Gap > 0 && math.Abs(d-b.Reach()) > 1e-9 {
				t.Fatalf("%g m from the middle of a disc of %g m", d, b.Reach())
			}
			if turned := b.Contacts(&a, 0.2, nil); len(turned) != 1 || turned[0].Normal.Add(c.Normal).Norm() > 1e-12 {
				t.Fatalf("the other way round: %+v", turned)
			}
		}
	})
}

// TestMoveTo moves a box and leaves it turned.
func TestMoveTo(t *testing.T) {
	b := NewBox(Vec{}, Vec{0.2, 0.1}, 0.5, 0.1)
	b.MoveTo(Vec{1, 2})
	if b.Center() != (Vec{1, 2}) || math.Abs(b.Yaw()-0.5) > 1e-12 || b.Inner() != 0.05 || b.Axis() != Direction(0.5) {
		t.Errorf("%+v", b)
	}
}

// TestContactsBeyondTheMargin: shapes that are farther apart have none.
func TestContactsBeyondTheMargin(t *testing.T) {
	a := NewBox(Vec{}, Vec{0.2, 0.2}, 0.3, 0.1)
	for _, b := range []Shape{NewDisc(Vec{1, 0}, 0.1, 0.1), NewBox(Vec{0, 1}, Vec{0.2, 0.1}, 1, 0.1)} {
		if c := a.Contacts(&b, 0.3, nil); len(c) != 0 {
			t.Errorf("%+v", c)
		}
	}
}
