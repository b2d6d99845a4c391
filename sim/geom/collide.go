// SPDX-License-Identifier: Apache-2.0

package geom

import "math"

// Push returns the shortest move (m) that takes a circle of radius r at p out
// of s, and whether they overlap at all. Touching is not overlapping.
func (s *Shape) Push(p Vec, r float64) (Vec, bool) {
	switch s.kind {
	case Disc:
		return pushDisc(p.Sub(s.center), r+s.radius)
	case Box:
		v, hit := pushBox(s.local(p), s.half, r)
		return v.Rotate(s.axis), hit
	default:
		v, hit := pushEnclosure(s.local(p), s.half, r)
		return v.Rotate(s.axis), hit
	}
}

// PushDiscs returns the shortest move that takes a circle at p out of one at
// q, sum being both radii together.
func PushDiscs(p, q Vec, sum float64) (Vec, bool) { return pushDisc(p.Sub(q), sum) }

func pushDisc(p Vec, reach float64) (Vec, bool) {
	dd := p.Dot(p)
	if dd >= float64(reach*reach) {
		return Vec{}, false
	}
	d := math.Sqrt(dd)
	if d == 0 { // no direction is nearest: choose one, always the same
		return Vec{reach, 0}, true
	}
	return p.Scale((reach - d) / d), true
}

// pushBox treats the two cases of a centre outside the box (nearest point of
// the outline decides) and inside it (nearest side decides).
func pushBox(p, half Vec, r float64) (Vec, bool) {
	nearest := Vec{clamp(p.X, half.X), clamp(p.Y, half.Y)}
	if nearest != p {
		return pushDisc(p.Sub(nearest), r)
	}
	dx, dy := half.X-math.Abs(p.X), half.Y-math.Abs(p.Y)
	if dx < dy {
		return Vec{math.Copysign(dx+r, p.X), 0}, true
	}
	return Vec{0, math.Copysign(dy+r, p.Y)}, true
}

// pushEnclosure keeps the circle inside; an enclosure narrower than the circle centres it.
func pushEnclosure(p, half Vec, r float64) (Vec, bool) {
	free := Vec{max(0, half.X-r), max(0, half.Y-r)}
	v := Vec{clamp(p.X, free.X), clamp(p.Y, free.Y)}.Sub(p)
	return v, v != Vec{}
}
