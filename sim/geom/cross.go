// SPDX-License-Identifier: Apache-2.0

package geom

import "math"

// Crossing is where a line of sight meets the outline of a shape.
type Crossing struct {
	// Enter and Leave are multiples of the direction's length. Enter is 0 from inside; Leave may be +Inf.
	Enter, Leave float64
	// Normal is the unit vector out of the solid where the line enters it, zero from inside.
	Normal Vec
}

// Cross returns where the line from p along dir, which need not have the length 1 but must not be zero, meets the
// solid, or false if it doesn't.
func (s *Shape) Cross(p, dir Vec) (Crossing, bool) {
	switch s.kind {
	case Disc:
		return CrossDisc(p.Sub(s.center), dir, s.radius)
	case Box:
		c, ok := crossBox(s.local(p), dir.Unrotate(s.axis), s.half)
		c.Normal = c.Normal.Rotate(s.axis)
		return c, ok
	default:
		c, ok := crossEnclosure(s.local(p), dir.Unrotate(s.axis), s.half)
		c.Normal = c.Normal.Rotate(s.axis)
		return c, ok
	}
}

// Reach returns the radius of the circle around the shape's middle that holds it, m; of an enclosure it is that of its
// inside.
func (s *Shape) Reach() float64 { return s.radius }

// CrossDisc returns where the line from p along d meets a disc of radius r around the origin.
func CrossDisc(p, d Vec, r float64) (Crossing, bool) {
	a, b, c := d.Dot(d), p.Dot(d), p.Dot(p)-float64(r*r)
	root := float64(b*b) - float64(a*c)
	if root < 0 || c > 0 && b >= 0 {
		return Crossing{}, false
	}
	root = math.Sqrt(root)
	x := Crossing{Leave: (root - b) / a}
	if c <= 0 {
		return x, true
	}
	x.Enter = (-b - root) / a
	x.Normal = p.Add(d.Scale(x.Enter)).Scale(1 / r)
	return x, true
}

// crossBox cuts the line with the two slabs whose common part is the box.
func crossBox(p, d, half Vec) (Crossing, bool) {
	x := Crossing{Leave: math.Inf(1)}
	for i, a := range [2][3]float64{{p.X, d.X, half.X}, {p.Y, d.Y, half.Y}} {
		pos, dir, h := a[0], a[1], a[2]
		if dir == 0 {
			if math.Abs(pos) > h {
				return Crossing{}, false
			}
			continue
		}
		t0, t1 := (-h-pos)/dir, (h-pos)/dir
		n := -1.0
		if t0 > t1 {
			t0, t1, n = t1, t0, 1
		}
		if t0 > x.Enter {
			x.Enter = t0
			x.Normal = [2]Vec{{X: n}, {Y: n}}[i]
		}
		x.Leave = math.Min(x.Leave, t1)
	}
	return x, x.Enter <= x.Leave
}

// crossEnclosure finds the wall seen from inside.
func crossEnclosure(p, d, half Vec) (Crossing, bool) {
	x := Crossing{Leave: math.Inf(1)}
	if math.Abs(p.X) >= half.X || math.Abs(p.Y) >= half.Y {
		return x, true
	}
	x.Enter = math.Inf(1)
	if d.X != 0 {
		x.Enter, x.Normal = (math.Copysign(half.X, d.X)-p.X)/d.X, Vec{X: -math.Copysign(1, d.X)}
	}
	if d.Y != 0 {
		if t := (math.Copysign(half.Y, d.Y) - p.Y) / d.Y; t < x.Enter {
			x.Enter, x.Normal = t, Vec{Y: -math.Copysign(1, d.Y)}
		}
	}
	return x, !math.IsInf(x.Enter, 1)
}
