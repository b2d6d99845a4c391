// SPDX-License-Identifier: Apache-2.0

package vcamera

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// view is where the lens is and where it looks: two unit vectors.
type view struct {
	at, ahead, left geom.Vec
}

// ray returns the direction of a column: 1 m ahead.
func (v *view) ray(slope float64) geom.Vec { return v.ahead.Add(v.left.Scale(slope)) }

// lampRadius is the size of a lamp, m.
const lampRadius = 0.01

// gather lists what may be in the picture.
func (r *Renderer) gather(s *Scene, v *view) {
	r.solids = r.solids[:0]
	if s.Aloft {
		return
	}
	for i := range s.Things {
		t := &s.Things[i]
		if t.Shape.Kind() == geom.Enclosure {
			r.solids = append(r.solids, solid{thing: t, last: r.lens.Width - 1})
			continue
		}
		r.add(solid{thing: t}, v, t.Shape.Center(), t.Shape.Reach())
	}
	for i := range s.Bodies {
		b := &s.Bodies[i]
		r.add(solid{body: b}, v, b.Pose.Position(), physics.BodyRadius)
	}
	for i := range s.Lamps {
		l := &s.Lamps[i]
		r.add(solid{lamp: l}, v, l.Position, lampRadius)
	}
}

// add lists something that is within a radius of a point, unless it can't be in the picture. The columns may be too
// many.
func (r *Renderer) add(o solid, v *view, middle geom.Vec, radius float64) {
	p := middle.Sub(v.at)
	x, y := p.Dot(v.ahead), p.Dot(v.left)
	if x+radius <= near {
		return
	}
	o.last = r.lens.Width - 1
	if back := x - radius; back > near {
		// The square around the circle, seen from the front: whichever of its corners is farther out.
		o.first = r.lens.column(max((y+radius)/back, (y+radius)/(x+radius)))
		o.last = r.lens.column(min((y-radius)/back, (y-radius)/(x+radius))) + 1
	}
	o.first, o.last = max(0, o.first), min(r.lens.Width-1, o.last)
	if o.first <= o.last {
		r.solids = append(r.solids, o)
	}
}

// column returns the column of a slope, within one beyond the picture.
func (l *Lens) column(slope float64) int {
	return int(math.Floor(max(-2, min(float64(l.Width)+1, l.CenterX-float64(l.FocalX*slope)))))
}

// cast lists what the ray of a column crosses, near to far.
func (r *Renderer) cast(v *view, x int) {
	r.hits = r.hits[:0]
	dir := v.ray(r.slope[x])
	for i := range r.solids {
		o := &r.solids[i]
		if x < o.first || x > o.last {
			continue
		}
		h := hit{of: o}
		var ok bool
		switch {
		case o.thing != nil:
			h.Crossing, ok = o.thing.Shape.Cross(v.at, dir)
		case o.body != nil:
			h.Crossing, ok = geom.CrossDisc(v.at.Sub(o.body.Pose.Position()), dir, physics.BodyRadius)
		default:
			h.Crossing, ok = geom.CrossDisc(v.at.Sub(o.lamp.Position), dir, lampRadius)
		}
		if !ok {
			continue
		}
		h.Enter = max(h.Enter, near)
		r.hits = append(r.hits, h)
		for k := len(r.hits) - 1; k > 0 && r.hits[k-1].Enter > h.Enter; k-- {
			r.hits[k-1], r.hits[k] = r.hits[k], r.hits[k-1]
		}
	}
}
