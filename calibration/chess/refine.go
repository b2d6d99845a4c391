// SPDX-License-Identifier: Apache-2.0

package chess

import "math"

// refine moves a position to the point that the gradients within a radius (px) determine: the intersection of the
// edges, weighted towards the centre. ok is false if the gradients determine none, or if it is farther than limit
// (px) away.
func (p *picture) refine(x0, y0, radius, limit float64) (x, y float64, ok bool) {
	x, y = x0, y0
	n := int(math.Ceil(radius))
	for range 40 {
		var a, b, c, d, e float64
		cx, cy := int(math.Round(x)), int(math.Round(y))
		if cx-n < 1 || cy-n < 1 || cx+n >= p.W-1 || cy+n >= p.H-1 {
			return x0, y0, false
		}
		for j := cy - n; j <= cy+n; j++ {
			for i := cx - n; i <= cx+n; i++ {
				dx, dy := float64(i)-x, float64(j)-y
				rr := (dx*dx + dy*dy) / (radius * radius)
				if rr >= 1 {
					continue
				}
				w := (1 - rr) * (1 - rr)
				at := j*p.W + i
				gx := float64(p.Pix[at+1]-p.Pix[at-1]) / 2
				gy := float64(p.Pix[at+p.W]-p.Pix[at-p.W]) / 2
				a, b, c = a+w*gx*gx, b+w*gx*gy, c+w*gy*gy
				d += w * (gx*gx*dx + gx*gy*dy)
				e += w * (gx*gy*dx + gy*gy*dy)
			}
		}
		det := a*c - b*b
		if !(det > 0.02*(a+c)*(a+c)/4) { // an edge, or nothing
			return x0, y0, false
		}
		sx, sy := (c*d-b*e)/det, (a*e-b*d)/det
		x, y = x+sx, y+sy
		if math.Hypot(x-x0, y-y0) > limit {
			return x0, y0, false
		}
		if math.Hypot(sx, sy) < 0.003 {
			return x, y, true
		}
	}
	return x0, y0, false
}
