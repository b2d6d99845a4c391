// SPDX-License-Identifier: Apache-2.0

package geom

import "math"

// Ray returns the distance (m) along the unit direction dir from p to the
// first solid point of s, or false if the ray misses it. It is 0 when p is
// in the solid.
func (s *Shape) Ray(p, dir Vec) (float64, bool) {
	switch s.kind {
	case Disc:
		return rayDisc(p.Sub(s.center), dir, s.radius)
	case Box:
		return rayBox(s.local(p), dir.Unrotate(s.axis), s.half)
	default:
		return rayEnclosure(s.local(p), dir.Unrotate(s.axis), s.half)
	}
}

// RayDisc returns the distance along the unit direction d from p to a disc of
// radius r around the origin, or false if the ray misses it.
func RayDisc(p, d Vec, r float64) (float64, bool) { return rayDisc(p, d, r) }

// rayDisc solves |p + t·d| = r for the smaller t ≥ 0.
func rayDisc(p, d Vec, r float64) (float64, bool) {
	b := p.Dot(d)
	c := p.Dot(p) - float64(r*r)
	if c <= 0 {
		return 0, true
	}
	disc := float64(b*b) - c
	if b >= 0 || disc < 0 {
		return 0, false
	}
	return -b - math.Sqrt(disc), true
}

// rayBox cuts the ray with the two slabs whose common part is the box.
func rayBox(p, d, half Vec) (float64, bool) {
	near, far := 0.0, math.Inf(1)
	for _, a := range [2][3]float64{{p.X, d.X, half.X}, {p.Y, d.Y, half.Y}} {
		pos, dir, h := a[0], a[1], a[2]
		if dir == 0 {
			if math.Abs(pos) > h {
				return 0, false
			}
			continue
		}
		t0, t1 := (-h-pos)/dir, (h-pos)/dir
		if t0 > t1 {
			t0, t1 = t1, t0
		}
		near, far = max(near, t0), min(far, t1)
	}
	if near > far {
		return 0, false
	}
	return near, true
}

// rayEnclosure returns the distance to the wall seen from inside.
func rayEnclosure(p, d, half Vec) (float64, bool) {
	if math.Abs(p.X) >= half.X || math.Abs(p.Y) >= half.Y {
		return 0, true
	}
	t := math.Inf(1)
	if d.X != 0 {
		t = (math.Copysign(half.X, d.X) - p.X) / d.X
	}
	if d.Y != 0 {
		t = min(t, (math.Copysign(half.Y, d.Y)-p.Y)/d.Y)
	}
	return t, !math.IsInf(t, 1)
}
