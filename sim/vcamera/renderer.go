// SPDX-License-Identifier: Apache-2.0

package vcamera

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// Renderer draws pictures. It needs no more memory after its first picture of a scene. One goroutine may use it at a
// time.
type Renderer struct {
	lens    Lens
	horizon int       // the first row under it
	slope   []float64 // of a column: metres to the left for each metre ahead
	depth   []float64 // of a row under the horizon: where it meets the floor, m ahead; else 0
	fades   []uint8   // of these
	takes   []uint8   // how many points of the floor make a pixel, for its length

	sensor    *sensor // nil: an ideal one, and an ideal lens
	film      film
	source    film                   // of what shines by itself
	developed bool                   // floor and sky are the film's
	floor     [shades + 1][256]pixel // what a reflectance looks like through the haze
	sky       []pixel
	solids    []solid
	hits      []hit
	sheets    []sheet
	strips    [group][]pixel // of the columns that are drawn now
}

// group is how many columns are drawn before they go into the picture: an even number, so that two pixels that share
// their colours are in one, and so many that writing a row of them uses the memory's lines well.
const group = 16

// solid is something that may be seen, with the columns it may be seen in.
type solid struct {
	thing       *Thing // either
	body        *Body  // or
	lamp        *Lamp  // or
	first, last int
}

// height returns how high a solid is that hides what is behind it, m.
func (o *solid) height() (m float64, ok bool) {
	switch {
	case o.thing != nil:
		return o.thing.Shape.Height(), true
	case o.body != nil:
		return physics.BodyHeight, true
	}
	return 0, false
}

// hit is a solid that a column's ray crosses.
type hit struct {
	geom.Crossing
	of *solid
}

// near is the least depth at which something is drawn, m.
const near = 1e-3

// NewRenderer returns a renderer for the e-puck2's camera.
func NewRenderer() *Renderer { return NewRendererOf(piPuck()) }

// NewRendererOf returns a renderer for a lens of piPuck or NewLens.
func NewRendererOf(l Lens) *Renderer {
	r := &Renderer{
		lens: l, horizon: max(1, int(math.Ceil(l.CenterY))), slope: make([]float64, l.Width), depth: make([]float64, l.Height),
		fades: make([]uint8, l.Height), takes: make([]uint8, l.Height), sky: make([]pixel, max(l.Height, int(math.Ceil(l.CenterY)))),
	}
	for i := range r.strips {
		r.strips[i] = make([]pixel, l.Height)
	}
	for x := range r.slope {
		r.slope[x] = (l.CenterX - float64(x)) / l.FocalX
	}
	for y := range r.depth {
		if float64(y) <= l.CenterY {
			continue
		}
		d := l.FocalY * l.Above / (float64(y) - l.CenterY)
		r.depth[y], r.fades[y] = d, uint8(fade(d))
		// A row is one pixel high; so much of the floor is in it.
		length := float64(d*d) / (l.FocalY * l.Above)
		r.takes[y] = uint8(max(1, min(8, int(length/cellSize))))
	}
	return r
}

// Render draws what the lens of an e-puck2 at a pose sees of a scene into frame, FrameSize bytes of YUYV, as a sensor
// develops it. It is for renderers
// of NewRenderer and newRendererWith alone.
func (r *Renderer) Render(frame []byte, s *Scene, pose geom.Pose, d Development) {
	frame = frame[:FrameSize]
	if d.Bars {
		bars(frame, d)
		return
	}
	ahead := geom.Direction(pose.Theta)
	at, films := pose.Position().Add(ahead.Scale(LensForward)), d.films(s.Light)
	if r.sensor == nil {
		r.draw(s, films, at, ahead, func(x, n int) { interleave(frame[2*x:], r.strips[:n]) })
	} else {
		films.scene.raw, films.source.raw = true, true
		r.draw(s, films, at, ahead, func(x, n int) { r.sensor.store(x, r.strips[:n]) })
		r.sensor.amplify(films.gain)
		r.sensor.develop(frame, d.Sample)
	}
	d.turn(frame)
}

// draw draws columns from the left of what a lens at a place sees that looks level ahead, and calls done for each group
// of n columns from x on.
func (r *Renderer) draw(s *Scene, f films, at, ahead geom.Vec, done func(x, n int)) {
	r.develop(f.scene)
	r.source = f.source
	v := view{at: at, ahead: ahead, left: geom.Vec{X: -ahead.Y, Y: ahead.X}}
	r.gather(s, &v)
	r.sheets = r.sheets[:0]
	for i := range s.Boards {
		if !s.Aloft {
			r.sheets = append(r.sheets, sheetOf(&s.Boards[i], &v, &r.lens))
		}
	}
	for x := 0; x < r.lens.Width; x += group {
		n := min(group, r.lens.Width-x)
		for i := range n {
			r.column(r.strips[i], s, &v, x+i)
			r.hang(r.strips[i], x+i)
		}
		done(x, n)
	}
}

// develop mixes the colours of floor and sky for a film, unless they are those of the picture before.
func (r *Renderer) develop(f film) {
	if r.film == f && r.developed {
		return
	}
	r.film, r.developed = f, true
	for k := range r.floor {
		for v := range r.floor[k] {
			r.floor[k][v] = r.film.mix(grey(uint8(v*7/8)), k, one)
		}
	}
	for y := range r.horizon {
		up := (r.horizon - y) * shades / r.horizon
		part := func(h, z uint8) int { return (int(h)*(shades-up) + int(z)*up) / shades }
		r.sky[y] = r.film.expose(part(haze.R, zenith.R), part(haze.G, zenith.G), part(haze.B, zenith.B))
	}
}

// interleave writes an even number of columns as YUYV, from the first bytes of frame down.
func interleave(frame []byte, strips [][]pixel) {
	for y := range Height {
		row := frame[y*Stride : y*Stride+2*len(strips) : y*Stride+2*len(strips)]
		for i := 0; i+1 < len(strips); i += 2 {
			a, b := strips[i][y], strips[i+1][y]
			p := row[2*i : 2*i+4 : 2*i+4]
			p[0], p[2] = byte(a), byte(b)
			p[1] = byte((a>>8&0xFF + b>>8&0xFF + 1) >> 1)
			p[3] = byte((a>>16&0xFF + b>>16&0xFF + 1) >> 1)
		}
	}
}
