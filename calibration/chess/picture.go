// SPDX-License-Identifier: Apache-2.0

package chess

import (
	"image"
	"math"
)

// picture is a grey picture with values 0 to 255.
type picture struct {
	W, H int
	Pix  []float32
}

// newPicture converts a grey picture.
func newPicture(g *image.Gray) *picture {
	b := g.Bounds()
	p := &picture{W: b.Dx(), H: b.Dy(), Pix: make([]float32, b.Dx()*b.Dy())}
	for y := range p.H {
		row := g.Pix[y*g.Stride:][:p.W]
		for x, v := range row {
			p.Pix[y*p.W+x] = float32(v)
		}
	}
	return p
}

// at returns the value at a position, by bilinear interpolation; pixel centres have integer coordinates. ok is false
// outside.
func (p *picture) at(x, y float64) (v float64, ok bool) {
	if !(x >= 0 && y >= 0 && x < float64(p.W-1) && y < float64(p.H-1)) {
		return 0, false
	}
	i, j := int(x), int(y)
	u, w := x-float64(i), y-float64(j)
	q := p.Pix[j*p.W+i:]
	top := float64(q[0])*(1-u) + float64(q[1])*u
	low := float64(q[p.W])*(1-u) + float64(q[p.W+1])*u
	return top*(1-w) + low*w, true
}

// smooth returns the picture blurred with a Gaussian of standard deviation sigma, px.
func (p *picture) smooth(sigma float64) *picture {
	r := int(math.Ceil(3 * sigma))
	k := make([]float32, 2*r+1)
	sum := float32(0)
	for i := range k {
		d := float64(i-r) / sigma
		k[i] = float32(math.Exp(-d * d / 2))
		sum += k[i]
	}
	for i := range k {
		k[i] /= sum
	}
	mid, out := &picture{p.W, p.H, make([]float32, len(p.Pix))}, &picture{p.W, p.H, make([]float32, len(p.Pix))}
	for y := range p.H {
		row := p.Pix[y*p.W:][:p.W]
		for x := range p.W {
			s := float32(0)
			for i, w := range k {
				s += w * row[min(max(x+i-r, 0), p.W-1)]
			}
			mid.Pix[y*p.W+x] = s
		}
	}
	for y := range p.H {
		for i, w := range k {
			row := mid.Pix[min(max(y+i-r, 0), p.H-1)*p.W:][:p.W]
			to := out.Pix[y*p.W:][:p.W]
			for x, v := range row {
				to[x] += w * v
			}
		}
	}
	return out
}

// half returns the picture with half as many pixels in each direction.
func (p *picture) half() *picture {
	out := &picture{W: p.W / 2, H: p.H / 2}
	out.Pix = make([]float32, out.W*out.H)
	for y := range out.H {
		a, b := p.Pix[2*y*p.W:], p.Pix[(2*y+1)*p.W:]
		for x := range out.W {
			out.Pix[y*out.W+x] = (a[2*x] + a[2*x+1] + b[2*x] + b[2*x+1]) / 4
		}
	}
	return out
}
