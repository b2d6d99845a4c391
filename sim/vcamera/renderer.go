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
	slope [Width]float64  // of a column: metres to the left for each metre ahead
	depth [Height]float64 // of a row under the horizon: where it meets the floor, m ahead; else 0
	fades [Height]uint8   // of these
	takes [Height]uint8   // how many points of the floor make a pixel, for its length

	film   film
	floor  [shades + 1][256]pixel // what a reflectance looks like through the haze
	sky    [Height]pixel
	solids []solid
	hits   []hit
	sheets []sheet
	strips [2][Height]pixel // two columns, which share their colours
}

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

// horizon is the first row under the horizon.
var horizon = int(math.Ceil(CenterY))

// NewRenderer returns a renderer.
func NewRenderer() *Renderer {
	r := &Renderer{}
	for x := range r.slope {
		r.slope[x] = (CenterX - float64(x)) / FocalX
	}
	for y := range r.depth {
		if float64(y) <= CenterY {
			continue
		}
		d := FocalY * LensHeight / (float64(y) - CenterY)
		r.depth[y], r.fades[y] = d, uint8(fade(d))
		// A row is one pixel high; so much of the floor is in it.
		length := float64(d*d) / (FocalY * LensHeight)
		r.takes[y] = uint8(max(1, min(8, int(length/cellSize))))
	}
	return r
}

// Render draws what the lens of a robot at a pose sees of a scene into frame, FrameSize bytes of YUYV, as a sensor
// develops it.
func (r *Renderer) Render(frame []byte, s *Scene, pose geom.Pose, d Development) {
	frame = frame[:FrameSize]
	if d.Bars {
		bars(frame, d)
		return
	}
	r.film = d.film(s.Light)
	r.paints()
	ahead := geom.Direction(pose.Theta)
	v := view{at: pose.Position().Add(ahead.Scale(LensForward)), ahead: ahead, left: geom.Vec{X: -ahead.Y, Y: ahead.X}}
	r.gather(s, &v)
	r.sheets = r.sheets[:0]
	for i := range s.Boards {
		if !s.Aloft {
			r.sheets = append(r.sheets, sheetOf(&s.Boards[i], &v))
		}
	}
	for x := 0; x < Width; x += 2 {
		for i := range r.strips {
			r.column(&r.strips[i], s, &v, x+i)
			r.hang(&r.strips[i], x+i)
		}
		interleave(frame[2*x:], &r.strips)
	}
	d.turn(frame)
}

// paints mixes the colours of floor and sky.
func (r *Renderer) paints() {
	for k := range r.floor {
		for v := range r.floor[k] {
			r.floor[k][v] = r.film.mix(grey(uint8(v*7/8)), k, one)
		}
	}
	for y := range horizon {
		up := (horizon - y) * shades / horizon
		part := func(h, z uint8) int { return (int(h)*(shades-up) + int(z)*up) / shades }
		r.sky[y] = r.film.expose(part(haze.R, zenith.R), part(haze.G, zenith.G), part(haze.B, zenith.B))
	}
}

// interleave writes two columns as YUYV, from the first bytes of frame down.
func interleave(frame []byte, strips *[2][Height]pixel) {
	for y := range Height {
		a, b := strips[0][y], strips[1][y]
		p := frame[y*Stride : y*Stride+4 : y*Stride+4]
		p[0], p[2] = byte(a), byte(b)
		p[1] = byte((a>>8&0xFF + b>>8&0xFF + 1) >> 1)
		p[3] = byte((a>>16&0xFF + b>>16&0xFF + 1) >> 1)
	}
}
