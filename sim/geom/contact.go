// SPDX-License-Identifier: Apache-2.0

package geom

import "math"

// Contact is a place where two shapes touch or nearly do.
type Contact struct {
	// At is the place, m, Normal the unit vector from the first shape to the second.
	At, Normal Vec
	// Gap is how far they are apart along the normal, m; negative: so far they overlap.
	Gap float64
}

// Axis returns the direction of the own x axis of a box or an enclosure, a unit vector.
func (s *Shape) Axis() Vec { return s.axis }

// Inner returns the radius of the largest disc around the middle of a disc or a box that is in it, m.
func (s *Shape) Inner() float64 {
	if s.kind == Disc {
		return s.radius
	}
	return min(s.half.X, s.half.Y)
}

// Contacts appends the places where o, a disc or a box, is no farther than a margin (m) from s: one for a disc, up to
// two for a side that faces a side, one for each corner and each side of an enclosure. Boxes beyond each other's
// corners have none.
func (s *Shape) Contacts(o *Shape, margin float64, dst []Contact) []Contact {
	switch {
	case s.kind == Enclosure:
		return s.contactsInside(o, margin, dst)
	case s.kind == Disc && o.kind == Disc:
		way := o.center.Sub(s.center)
		d := way.Norm()
		if d-s.radius-o.radius > margin {
			return dst
		}
		n := Vec{1, 0}
		if d > 0 {
			n = Vec{way.X / d, way.Y / d}
		}
		return append(dst, Contact{s.center.Add(n.Scale(s.radius)), n, d - s.radius - o.radius})
	case o.kind == Disc:
		return s.contactOfDisc(o, margin, 1, dst)
	case s.kind == Disc:
		return o.contactOfDisc(s, margin, -1, dst)
	}
	return s.contactsOfBoxes(o, margin, dst)
}

// contactOfDisc is that of a box and a disc; the sign turns the normal round.
func (s *Shape) contactOfDisc(o *Shape, margin, sign float64, dst []Contact) []Contact {
	p := s.local(o.center)
	at := Vec{clamp(p.X, s.half.X), clamp(p.Y, s.half.Y)}
	var gap float64
	var n Vec
	if at != p {
		way := p.Sub(at)
		d := way.Norm()
		gap, n = d-o.radius, Vec{way.X / d, way.Y / d}
	} else {
		v, _ := pushBox(p, s.half, o.radius)
		d := v.Norm()
		gap, n = -d, Vec{v.X / d, v.Y / d}
	}
	if gap > margin {
		return dst
	}
	return append(dst, Contact{s.center.Add(at.Rotate(s.axis)), n.Rotate(s.axis).Scale(sign), gap})
}

// contactsInside are those of an enclosure's sides.
func (s *Shape) contactsInside(o *Shape, margin float64, dst []Contact) []Contact {
	add := func(c Vec, r float64) {
		p := s.local(c)
		for _, side := range [4]Vec{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			half := math.Abs(side.Dot(s.half))
			if gap := half - p.Dot(side) - r; gap <= margin {
				n := side.Rotate(s.axis).Scale(-1)
				dst = append(dst, Contact{c.Sub(n.Scale(r)), n, gap})
			}
		}
	}
	if o.kind == Disc {
		add(o.center, o.radius)
		return dst
	}
	for _, c := range o.corners() {
		add(c, 0)
	}
	return dst
}

// contactsOfBoxes finds the side that separates two boxes most and cuts the other box's nearest side off at its ends
// (as b2CollidePolygons of Box2D does).
func (s *Shape) contactsOfBoxes(o *Shape, margin float64, dst []Contact) []Contact {
	fromS, gapS := s.separation(o)
	fromO, gapO := o.separation(s)
	if max(gapS, gapO) > margin {
		return dst
	}
	const coherence = 1e-6 // m: of equal sides always the first one's
	if gapO > gapS+coherence {
		return o.clipped(s, fromO, margin, -1, dst)
	}
	return s.clipped(o, fromS, margin, 1, dst)
}

// separation returns the direction of one of the sides of a box, out of it, and how far another box is beyond that
// side: the side for which that is most.
func (s *Shape) separation(o *Shape) (n Vec, gap float64) {
	gap = math.Inf(-1)
	away := o.center.Sub(s.center)
	for i, axis := range [2]Vec{s.axis, s.axis.left()} {
		d := away.Dot(axis)
		half := s.half.X
		if i == 1 {
			half = s.half.Y
		}
		if g := math.Abs(d) - half - o.along(axis); g > gap {
			n, gap = axis.Scale(math.Copysign(1, d)), g
		}
	}
	return n, gap
}

// clipped are the ends of the side of o that faces the side of s with the normal n, within the ends of that.
func (s *Shape) clipped(o *Shape, n Vec, margin, sign float64, dst []Contact) []Contact {
	// The facing side of o.
	x, y := o.axis.Dot(n), o.axis.left().Dot(n)
	along, out, half, reach := o.axis.left(), o.axis.Scale(-math.Copysign(1, x)), o.half.Y, o.half.X
	if math.Abs(y) > math.Abs(x) {
		along, out, half, reach = o.axis, o.axis.left().Scale(-math.Copysign(1, y)), o.half.X, o.half.Y
	}
	middle := o.center.Add(out.Scale(reach))
	a, b := middle.Sub(along.Scale(half)), middle.Add(along.Scale(half))
	// Within the ends of the side of s.
	across := n.left()
	limit := s.half.Y
	depth := s.half.X
	if math.Abs(n.Dot(s.axis)) < 0.5 {
		limit, depth = s.half.X, s.half.Y
	}
	ta, tb := a.Sub(s.center).Dot(across), b.Sub(s.center).Dot(across)
	if max(ta, tb) < -limit || min(ta, tb) > limit {
		return dst
	}
	end := func(p, q Vec, tp, tq float64) Vec {
		to := max(-limit, min(limit, tp))
		if to == tp || tp == tq {
			return p
		}
		return p.Add(q.Sub(p).Scale((to - tp) / (tq - tp)))
	}
	for _, p := range [2]Vec{end(a, b, ta, tb), end(b, a, tb, ta)} {
		if gap := p.Sub(s.center).Dot(n) - depth; gap <= margin {
			dst = append(dst, Contact{p, n.Scale(sign), gap})
		}
	}
	return dst
}
