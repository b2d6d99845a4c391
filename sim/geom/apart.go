// SPDX-License-Identifier: Apache-2.0

package geom

import "math"

// Apart returns the shortest move (m) that takes o, a disc or a box, out of s, and whether they overlap at all.
// Touching is not overlapping.
func (s *Shape) Apart(o *Shape) (Vec, bool) {
	switch {
	case o.kind == Disc:
		return s.Push(o.center, o.radius)
	case s.kind == Disc:
		v, hit := o.Push(s.center, s.radius)
		return v.Scale(-1), hit
	case s.kind == Enclosure:
		return s.inside(o)
	}
	return s.boxes(o)
}

// inside is Apart for a box in an enclosure: what its corners need, to both sides at most.
func (s *Shape) inside(o *Shape) (Vec, bool) {
	var move Vec
	for _, c := range o.corners() {
		p := s.local(c)
		in := Vec{clamp(p.X, s.half.X), clamp(p.Y, s.half.Y)}.Sub(p)
		if math.Abs(in.X) > math.Abs(move.X) {
			move.X = in.X
		}
		if math.Abs(in.Y) > math.Abs(move.Y) {
			move.Y = in.Y
		}
	}
	return move.Rotate(s.axis), move != Vec{}
}

// boxes is Apart for two boxes: of the four directions of their sides, that in which they overlap least (the separating
// axis theorem).
func (s *Shape) boxes(o *Shape) (move Vec, hit bool) {
	away := o.center.Sub(s.center)
	if reach := s.radius + o.radius; away.Dot(away) >= float64(reach*reach) {
		return Vec{}, false
	}
	least := math.Inf(1)
	for _, axis := range [4]Vec{s.axis, s.axis.left(), o.axis, o.axis.left()} {
		d := away.Dot(axis)
		overlap := s.along(axis) + o.along(axis) - math.Abs(d)
		if overlap <= 0 {
			return Vec{}, false
		}
		if overlap < least {
			least, move = overlap, axis.Scale(math.Copysign(overlap, d))
		}
	}
	return move, true
}

// left is a vector a quarter of a turn on.
func (a Vec) left() Vec { return Vec{-a.Y, a.X} }

// along is half of what a box takes up in a direction.
func (s *Shape) along(axis Vec) float64 {
	return math.Abs(float64(s.half.X*s.axis.Dot(axis))) + math.Abs(float64(s.half.Y*s.axis.left().Dot(axis)))
}

// corners are those of a box or an enclosure.
func (s *Shape) corners() [4]Vec {
	x, y := s.axis.Scale(s.half.X), s.axis.left().Scale(s.half.Y)
	return [4]Vec{
		s.center.Sub(x).Sub(y), s.center.Add(x).Sub(y), s.center.Add(x).Add(y), s.center.Sub(x).Add(y),
	}
}

// Carried returns s, given in the frame of a body, where it is with the body at a pose whose direction is facing.
func (s Shape) Carried(at Vec, facing Vec) Shape {
	s.CarryTo(&s, at, facing)
	return s
}

// CarryTo is [Shape.Carried] without copies on the way: for what moves thousands of shapes. to may be s.
func (s *Shape) CarryTo(to *Shape, at Vec, facing Vec) {
	center, axis := at.Add(s.center.Rotate(facing)), s.axis
	if s.kind == Box {
		axis = axis.Rotate(facing)
	}
	*to = *s
	to.center, to.axis = center, axis
}

// Holds reports whether a disc or a box has all of o, a disc or a box, in it, but for a length (m).
func (s *Shape) Holds(o *Shape, slack float64) bool {
	in := func(p Vec, r float64) bool {
		if s.kind == Disc {
			return p.Sub(s.center).Norm()+r <= s.radius+slack
		}
		q := s.local(p)
		return math.Abs(q.X)+r <= s.half.X+slack && math.Abs(q.Y)+r <= s.half.Y+slack
	}
	if o.kind == Disc {
		return in(o.center, o.radius)
	}
	for _, c := range o.corners() {
		if !in(c, 0) {
			return false
		}
	}
	return true
}

// Inradius is the radius of the largest disc that fits into the shape, m.
func (s *Shape) Inradius() float64 {
	if s.kind == Disc {
		return s.Reach()
	}
	return min(s.half.X, s.half.Y)
}

// Raised returns s with so much added to its height, m, but not less than nothing.
func (s Shape) Raised(by float64) Shape {
	s.height = math.Max(0, s.height+by)
	return s
}

// Around returns the radius of the smallest disc around the middle of s that holds o, a disc or a box, m.
func (s *Shape) Around(o *Shape) float64 {
	if o.kind == Disc {
		return o.center.Sub(s.center).Norm() + o.radius
	}
	far := 0.0
	for _, c := range o.corners() {
		far = math.Max(far, c.Sub(s.center).Norm())
	}
	return far
}

// Within reports whether a solid part of s is within a distance (m) of p.
func (s *Shape) Within(p Vec, d float64) bool {
	if s.kind == Enclosure {
		q := s.local(p)
		return math.Abs(q.X)+d > s.half.X || math.Abs(q.Y)+d > s.half.Y
	}
	_, hit := s.Push(p, d)
	return hit
}
