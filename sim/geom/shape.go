// SPDX-License-Identifier: Apache-2.0

package geom

import "math"

// Kind says what a Shape is.
type Kind uint8

// The kinds of shape.
const (
	// Disc is the upright cylinder's outline: solid inside.
	Disc Kind = iota
	// Box is a rectangle at any angle: solid inside.
	Box
	// Enclosure is a rectangle that is solid outside: the walls of an arena.
	Enclosure
)

// Shape is one solid thing seen from above. Make it with NewDisc, NewBox,
// NewWall or NewEnclosure. It is a plain value; reading it is safe from several
// goroutines.
type Shape struct {
	kind   Kind
	center Vec
	axis   Vec     // direction of the box's own x axis
	half   Vec     // half side lengths of a box or enclosure
	radius float64 // radius of a disc; of the circle around a box
	height float64
	dark   float64 // 1 − infrared reflectance, so that the zero value is white
}

// NewDisc returns a disc of the given radius and height, metres.
func NewDisc(center Vec, radius, height float64) Shape {
	return Shape{kind: Disc, center: center, axis: Vec{1, 0}, radius: radius, height: height}
}

// NewBox returns a box with side lengths size (m), turned by yaw (rad).
func NewBox(center, size Vec, yaw, height float64) Shape {
	half := size.Scale(0.5)
	return Shape{kind: Box, center: center, axis: Direction(yaw), half: half, radius: half.Norm(), height: height}
}

// NewWall returns the straight wall between two points, thickness metres wide
// with square ends. Equal points give a square pillar.
func NewWall(from, to Vec, thickness, height float64) Shape {
	along := to.Sub(from)
	length := along.Norm()
	s := NewBox(from.Add(to).Scale(0.5), Vec{length, thickness}, 0, height)
	if length > 0 {
		s.axis = Vec{along.X / length, along.Y / length}
	}
	return s
}

// NewEnclosure returns the walls around a rectangle with side lengths size (m).
func NewEnclosure(center, size Vec, height float64) Shape {
	s := NewBox(center, size, 0, height)
	s.kind = Enclosure
	return s
}

// Kind returns what s is.
func (s *Shape) Kind() Kind { return s.kind }

// Center returns the middle of s, metres.
func (s *Shape) Center() Vec { return s.center }

// Size returns the side lengths of a box or an enclosure along its own axes, m; of a disc nothing.
func (s *Shape) Size() Vec { return s.half.Scale(2) }

// Height returns the height of s above the floor, metres.
func (s *Shape) Height() float64 { return s.height }

// Yaw returns how far s is turned from the x axis, rad; of a disc and of an enclosure it means nothing.
func (s *Shape) Yaw() float64 { return Angle(s.axis) }

// Moved returns s with another centre and turned by yaw (rad) from the x axis;
// the yaw of a disc and of an enclosure means nothing.
func (s Shape) Moved(center Vec, yaw float64) Shape {
	s.center = center
	if s.kind == Box {
		s.axis = Direction(yaw)
	}
	return s
}

// MoveTo puts s with its centre somewhere else, turned as it is.
func (s *Shape) MoveTo(center Vec) { s.center = center }

// Near reports whether s may be within distance d (m) of p: it can answer
// true too often, but not false wrongly (TestNearIsNeverWronglyFalse). A enclosure is near.
func (s *Shape) Near(p Vec, d float64) bool {
	if s.kind == Enclosure {
		return true
	}
	reach := s.radius + d
	v := p.Sub(s.center)
	return v.Dot(v) <= float64(reach*reach)
}

// local returns p in the frame of the box.
func (s *Shape) local(p Vec) Vec { return p.Sub(s.center).Unrotate(s.axis) }

func clamp(v, limit float64) float64 { return max(-limit, min(limit, v)) }

// Outline returns the corners of s seen from above, counter-clockwise, m: of a disc those of a polygon of sides sides
// around it. Of an enclosure it is the inner side.
func (s *Shape) Outline(sides int) []Vec {
	if s.kind == Disc {
		reach := s.radius / math.Cos(math.Pi/float64(sides))
		corners := make([]Vec, sides)
		for i := range corners {
			corners[i] = s.center.Add(Direction(WrapAngle(2 * math.Pi * float64(i) / float64(sides))).Scale(float64(reach)))
		}
		return corners
	}
	corners := []Vec{{-s.half.X, -s.half.Y}, {s.half.X, -s.half.Y}, {s.half.X, s.half.Y}, {-s.half.X, s.half.Y}}
	for i, c := range corners {
		corners[i] = s.center.Add(c.Rotate(s.axis))
	}
	return corners
}

// Reflecting returns the shape with a surface that reflects a share of the infrared light, 1 being a white wall.
func (s Shape) Reflecting(share float64) Shape {
	s.dark = 1 - math.Max(0, share)
	return s
}

// Reflectance returns the share of the infrared light that the surface reflects, 1 being a white wall.
func (s *Shape) Reflectance() float64 { return 1 - s.dark }
