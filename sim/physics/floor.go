// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Picture is a floor picture: one byte of reflectance for each square cell,
// 0 black to 255 white, the southmost row first, each from west to east.
type Picture struct {
	Columns, Rows int
	Cell          float64  // side of a cell, m
	Origin        geom.Vec // south-west corner, m
	Cells         []byte   // Columns·Rows
}

// at returns the reflectance at p, 0 to 1, or false outside the picture.
func (f *Picture) at(p geom.Vec) (float64, bool) {
	q := p.Sub(f.Origin)
	x, y := math.Floor(q.X/f.Cell), math.Floor(q.Y/f.Cell)
	if !(x >= 0 && y >= 0 && x < float64(f.Columns) && y < float64(f.Rows)) {
		return 0, false
	}
	return float64(f.Cells[int(y)*f.Columns+int(x)]) / 255, true
}

// patchKind says what a Patch is.
type patchKind uint8

const (
	stripe patchKind = iota
	ring
	checker
)

// Patch is something painted on the floor. Make it with NewStripe, NewRing or
// NewChecker.
type Patch struct {
	kind        patchKind
	a, b        geom.Vec // stripe: ends; ring: middle; checker: south-west corner and size
	size        float64  // stripe: half its width; ring: outer radius; checker: side of a cell
	hole        float64  // ring: inner radius
	reflectance float64
}

// NewStripe returns a straight stripe with round ends; lengths in m.
func NewStripe(from, to geom.Vec, width, reflectance float64) Patch {
	return Patch{kind: stripe, a: from, b: to, size: width / 2, reflectance: reflectance}
}

// NewRing returns a circular line whose middle runs at radius, or, with no
// width, a filled disc; m.
func NewRing(center geom.Vec, radius, width, reflectance float64) Patch {
	p := Patch{kind: ring, a: center, size: radius, hole: -1, reflectance: reflectance}
	if width > 0 {
		p.size, p.hole = radius+float64(width/2), radius-float64(width/2)
	}
	return p
}

// NewChecker returns a rectangle of square cells of which every second is
// painted, beginning with that in the south-west; m.
func NewChecker(center, size geom.Vec, cell, reflectance float64) Patch {
	return Patch{kind: checker, a: center.Sub(size.Scale(0.5)), b: size, size: cell, reflectance: reflectance}
}

// covers reports whether there is paint at p.
func (f *Patch) covers(p geom.Vec) bool {
	switch q := p.Sub(f.a); f.kind {
	case stripe:
		along := f.b.Sub(f.a)
		if n := along.Dot(along); n > 0 {
			q = q.Sub(along.Scale(max(0, min(1, q.Dot(along)/n))))
		}
		return q.Dot(q) <= float64(f.size*f.size)
	case ring:
		d := q.Norm()
		return d <= f.size && d >= f.hole
	default:
		if !(q.X >= 0 && q.Y >= 0 && q.X < f.b.X && q.Y < f.b.Y) {
			return false
		}
		return (int(q.X/f.size)+int(q.Y/f.size))%2 == 0
	}
}

// Floor is what the robots drive on. It does not change.
type Floor struct {
	// Bare is the reflectance where nothing is painted, 0 black to 1 white.
	Bare float64
	// Picture is drawn on it; nil: none.
	Picture *Picture
	// Patches are painted over it in their order.
	Patches []Patch
}

// At returns the reflectance at a point, 0 black to 1 white. Not to be called on nil.
func (f *Floor) At(p geom.Vec) float64 {
	for i := len(f.Patches) - 1; i >= 0; i-- {
		if f.Patches[i].covers(p) {
			return f.Patches[i].reflectance
		}
	}
	if f.Picture != nil {
		if v, ok := f.Picture.at(p); ok {
			return v
		}
	}
	return f.Bare
}

const (
	// spotRadius is half the width of the floor that a ground sensor sees, m.
	spotRadius = 0.0015
	// shadow is the share of the light around that gets under the robot.
	shadow = 0.1
)

// Reflectance returns what a sensor that looks down at p sees, 0 black to 1
// white: the mean over its spot.
func (s *Scene) Reflectance(p geom.Vec) float64 {
	if s.floor == nil {
		return 1
	}
	sum := s.floor.At(p)
	for _, d := range [4]geom.Vec{{X: spotRadius}, {X: -spotRadius}, {Y: spotRadius}, {Y: -spotRadius}} {
		sum += s.floor.At(p.Add(d))
	}
	return sum / 5
}

// Underneath returns the irradiance under a robot that is on the floor or
// hangs in the air, W/m².
func (s *Scene) Underneath(inAir bool) float64 {
	if inAir {
		return s.ambient
	}
	return float64(shadow * s.ambient)
}

// Extent returns the south-west and the north-east corner of all that is on the floor, m, and whether there is
// anything; beyond it the floor is bare.
func (f *Floor) Extent() (low, high geom.Vec, painted bool) {
	low, high = geom.Vec{X: math.Inf(1), Y: math.Inf(1)}, geom.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	add := func(a, b geom.Vec) {
		low.X, low.Y = math.Min(low.X, a.X), math.Min(low.Y, a.Y)
		high.X, high.Y = math.Max(high.X, b.X), math.Max(high.Y, b.Y)
		painted = true
	}
	if p := f.Picture; p != nil {
		size := geom.Vec{X: float64(p.Columns), Y: float64(p.Rows)}
		add(p.Origin, p.Origin.Add(size.Scale(p.Cell)))
	}
	for i := range f.Patches {
		p := &f.Patches[i]
		around := geom.Vec{X: p.size, Y: p.size}
		switch p.kind {
		case stripe:
			add(p.a.Sub(around), p.a.Add(around))
			add(p.b.Sub(around), p.b.Add(around))
		case ring:
			add(p.a.Sub(around), p.a.Add(around))
		case checker:
			add(p.a, p.a.Add(p.b))
		}
	}
	return low, high, painted
}
