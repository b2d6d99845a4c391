// SPDX-License-Identifier: Apache-2.0

package vcamera

import "math"

// Distortion is a lens's distortion by the model of Brown and Conrady, plumb_bob in sensor_msgs/CameraInfo: a point in
// the direction (x, y), in the plane one metre ahead, is seen at
//
//	x·(1 + K1·r² + K2·r⁴ + K3·r⁶) + 2·P1·x·y + P2·(r² + 2·x²)
//	y·(1 + K1·r² + K2·r⁴ + K3·r⁶) + P1·(r² + 2·y²) + 2·P2·x·y
//
// with r² = x² + y². The zero value distorts nothing.
type Distortion struct{ K1, K2, P1, P2, K3 float64 }

// apply returns where a direction is seen, and the derivatives of that: of x by x, of x by y, which is that of y by x,
// and of y by y.
func (d *Distortion) apply(x, y float64) (u, v, ux, uy, vy float64) {
	xx, yy, xy := float64(x*x), float64(y*y), float64(x*y)
	r := xx + yy
	radial := 1 + float64(r*(d.K1+float64(r*(d.K2+float64(r*d.K3)))))
	slope := 2 * (d.K1 + float64(r*(float64(2*d.K2)+float64(3*float64(r*d.K3))))) // of radial, by r
	u = float64(x*radial) + float64(2*d.P1*xy) + float64(d.P2*(r+2*xx))
	v = float64(y*radial) + float64(d.P1*(r+2*yy)) + float64(2*d.P2*xy)
	ux = radial + float64(xx*slope) + float64(2*d.P1*y) + float64(6*d.P2*x)
	uy = float64(xy*slope) + float64(2*d.P1*x) + float64(2*d.P2*y)
	vy = radial + float64(yy*slope) + float64(6*d.P1*y) + float64(2*d.P2*x)
	return u, v, ux, uy, vy
}

// invert returns the direction that is seen at (u, v), by Newton's method from a direction that is seen nearby. ok is
// false where there is none.
func (d *Distortion) invert(u, v, x, y float64) (ix, iy float64, ok bool) {
	for range 20 {
		a, b, ux, uy, vy := d.apply(x, y)
		a, b = u-a, v-b
		det := float64(ux*vy) - float64(uy*uy)
		if !(det > 0) {
			return 0, 0, false
		}
		dx, dy := (float64(vy*a)-float64(uy*b))/det, (float64(ux*b)-float64(uy*a))/det
		x, y = x+dx, y+dy
		if math.Abs(dx)+math.Abs(dy) < 1e-9 {
			return x, y, true
		}
	}
	return 0, 0, false
}

// warp is what a distorting lens shows of the picture that an ideal one gives: for each pixel the place in that
// picture.
type warp struct {
	ideal Lens     // whose picture is large enough
	from  []uint32 // of each pixel: the number of the upper left of four pixels, and 5 bits each of how far to the next
}

const (
	warpBits = 5             // of the place between two pixels
	warpOne  = 1 << warpBits // from one pixel to the next
)

// newWarp returns the warp of a lens. ok is false for a distortion that can't be undone in its picture, or needs an
// ideal picture more than three times as wide or high.
func newWarp(l Lens, d Distortion) (w warp, ok bool) {
	places := make([][2]float64, l.Width*l.Height) // in pixels of the ideal picture, from the lens's own (0, 0)
	var low, high [2]float64
	var first, now [2]float64 // directions
	for y := range l.Height {
		now = first
		for x := range l.Width {
			u, v := (float64(x)-l.CenterX)/l.FocalX, (float64(y)-l.CenterY)/l.FocalY
			if x == 0 && y == 0 {
				now = [2]float64{u, v}
			}
			if now[0], now[1], ok = d.invert(u, v, now[0], now[1]); !ok {
				return warp{}, false
			}
			if x == 0 {
				first = now
			}
			p := [2]float64{l.CenterX + float64(l.FocalX*now[0]), l.CenterY + float64(l.FocalY*now[1])}
			for k := range p {
				low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
			}
			places[y*l.Width+x] = p
		}
	}
	left, top := math.Floor(-low[0])+1, math.Floor(-low[1])+1
	width, height := left+math.Ceil(high[0])+2, top+math.Ceil(high[1])+2
	if width > float64(3*l.Width) || height > float64(3*l.Height) || width*height > 1<<(32-2*warpBits) {
		return warp{}, false
	}
	w.ideal = l
	w.ideal.Width, w.ideal.Height = int(width), int(height)
	w.ideal.CenterX, w.ideal.CenterY = l.CenterX+left, l.CenterY+top
	w.from = make([]uint32, len(places))
	for i, p := range places {
		x, y := int(float64((p[0]+left)*warpOne)+0.5), int(float64((p[1]+top)*warpOne)+0.5)
		number := (y>>warpBits)*w.ideal.Width + x>>warpBits
		w.from[i] = uint32(number<<(2*warpBits) | (x&(warpOne-1))<<warpBits | y&(warpOne-1))
	}
	return w, true
}
