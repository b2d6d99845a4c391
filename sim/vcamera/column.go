// SPDX-License-Identifier: Apache-2.0

package vcamera

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// rowOf returns the first row whose middle is not above a height (m) at a depth, within the picture.
func (l *Lens) rowOf(height, depth float64) int {
	y := math.Ceil(l.CenterY - float64(l.FocalY*(height-l.Above))/depth)
	return int(max(0, min(float64(l.Height), y)))
}

// strip is a column that is being drawn from its lower end: the rows from open on are done.
type strip struct {
	rows []pixel
	open int
}

// to paints the rows from row up to what is done.
func (t *strip) to(row int, p pixel) {
	for y := row; y < t.open; y++ {
		t.rows[y] = p
	}
	t.open = min(t.open, row)
}

// column draws a column: near to far, each thing above the nearer ones.
func (r *Renderer) column(rows []pixel, s *Scene, v *view, x int) {
	r.cast(v, x)
	t := strip{rows, r.lens.Height}
	for i := range r.hits {
		h := &r.hits[i]
		switch {
		case t.open == 0:
		case h.of.thing != nil:
			r.foot(&t, s, v, x, h.Enter)
			r.thing(&t, h)
		case h.of.body != nil:
			r.foot(&t, s, v, x, h.Enter)
			r.body(&t, h)
		}
	}
	if !s.Aloft && t.open > r.horizon {
		r.ground(&t, s, v, x, r.horizon)
	}
	for y := range t.open {
		rows[y] = r.sky[min(y, r.horizon-1)]
	}
	r.lamps(rows)
}

// foot draws the floor up to the foot of something.
func (r *Renderer) foot(t *strip, s *Scene, v *view, x int, depth float64) {
	if row := r.lens.rowOf(0, depth); row < t.open {
		r.ground(t, s, v, x, row)
	}
}

// ground draws the floor up to a row under the horizon.
func (r *Renderer) ground(t *strip, s *Scene, v *view, x, row int) {
	dir := v.ray(r.slope[x])
	for y := row; y < t.open; y++ {
		shade := &r.floor[r.fades[y]]
		if s.Floor == nil {
			t.rows[y] = shade[255]
			continue
		}
		n := int(r.takes[y])
		sum := 0
		for k := range n { // rows get longer with the distance
			d := r.depth[y]
			if n > 1 {
				at := float64(y) + (float64(k)+0.5)/float64(n) - 0.5
				d = r.lens.FocalY * r.lens.Above / max(0.1, at-r.lens.CenterY)
			}
			sum += int(s.Floor.at(v.at.Add(dir.Scale(d))))
		}
		t.rows[y] = shade[sum/n]
	}
	t.open = row
}

// lit returns the light on an upright surface, of 256 parts: it comes from above, more from one side.
func lit(normal geom.Vec) int {
	return 205 + int(float64(normal.X*30)+float64(normal.Y*18))
}

// thing draws a wall, box or cylinder, and its upper side if it is low.
func (r *Renderer) thing(t *strip, h *hit) {
	thing := h.of.thing
	height, k := thing.Shape.Height(), fade(h.Enter)
	t.to(r.lens.rowOf(height, h.Enter), r.film.mix(thing.Colour, k, lit(h.Normal)))
	if height < r.lens.Above {
		t.to(max(r.horizon, r.lens.rowOf(height, h.Leave)), r.film.mix(thing.Colour, k, 245))
	}
}

// body draws a robot.
func (r *Renderer) body(t *strip, h *hit) {
	var look [bands]band
	b := h.of.body
	b.rings(h.Normal.Unrotate(geom.Direction(b.Pose.Theta)), &look)
	k, light := fade(h.Enter), lit(h.Normal)
	for _, ring := range look {
		look := r.film.mix(ring.colour, k, light)
		if ring.glows {
			look = r.film.shine(&r.source, ring.colour, k)
		}
		t.to(r.lens.rowOf(ring.to, h.Enter), look)
	}
}

// lamps draws the lamps of a column over what is behind them; what is before them hides them.
func (r *Renderer) lamps(rows []pixel) {
	top := r.lens.Height // of what is nearer
	for i := range r.hits {
		h := &r.hits[i]
		switch {
		case h.of.thing != nil:
			top = min(top, r.lens.rowOf(h.of.thing.Shape.Height(), h.Enter))
		case h.of.body != nil:
			top = min(top, r.lens.rowOf(physics.BodyHeight, h.Enter))
		default:
			half := float64((h.Leave - h.Enter) / 2) // of the ball's cut, along the ray
			depth := h.Enter + half
			from, to := r.lens.rowOf(h.of.lamp.Height+half, depth), r.lens.rowOf(h.of.lamp.Height-half, depth)
			look := h.of.lamp.expose(&r.source)
			for y := from; y < min(to, top); y++ {
				rows[y] = look
			}
		}
	}
}

// expose returns the pixel of a lamp: a ball of that radiance. White under 1 W/m² has 1/π W/(m²·sr).
func (l *Lamp) expose(source *film) pixel {
	const area = lampRadius * lampRadius // times π, of the disc that is seen
	bright := int(float64(max(0, min(64, l.Intensity/area)) * 255))
	return source.expose(bright, bright, bright*235/255)
}
