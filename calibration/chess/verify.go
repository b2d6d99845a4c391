// SPDX-License-Identifier: Apache-2.0

package chess

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// steps returns the displacements from a corner to its right and its lower neighbour, from those neighbours that are
// known.
func (g *grid) steps(c cell) (u, v vec, ok bool) {
	along := func(dir cell) (vec, bool) {
		a, right := g.at[c.next(dir)]
		b, left := g.at[cell{c.i - dir.i, c.j - dir.j}]
		switch p := g.at[c]; {
		case right && left:
			return a.sub(b).scale(0.5), true
		case right:
			return a.sub(p), true
		case left:
			return p.sub(b), true
		}
		return vec{}, false
	}
	u, ok = along(directions[0])
	if !ok {
		return u, v, false
	}
	v, ok = along(directions[1])
	return u, v, ok
}

// quadrants returns the reason if the four squares around a corner do not have the expected colours, else an empty
// string.
func (g *grid) quadrants(c cell) string {
	u, v, ok := g.steps(c)
	if !ok {
		return "it has no neighbours"
	}
	var lo, hi, sum [2]float64
	lo, hi = [2]float64{255, 255}, [2]float64{}
	p := g.at[c]
	// The square to the upper right is bright if the edge to the right has its bright side on the left.
	first := 0
	if g.sign*float64(1-2*((c.i+c.j)&1)) < 0 {
		first = 1
	}
	for _, s := range [4][2]float64{{1, -1}, {1, 1}, {-1, 1}, {-1, -1}} {
		for _, t := range [3][2]float64{{0.22, 0.22}, {0.3, 0.15}, {0.15, 0.3}} {
			m := p.add(u.scale(s[0] * t[0])).add(v.scale(s[1] * t[1]))
			x, ok := g.p.at(m.x, m.y)
			if !ok {
				return "it is too near to the picture's edge"
			}
			lo[first], hi[first], sum[first] = min(lo[first], x), max(hi[first], x), sum[first]+x/6
		}
		first = 1 - first
	}
	contrast := sum[0] - sum[1] // bright squares are number 0
	switch {
	case contrast < minContrast:
		return fmt.Sprintf("the squares around it differ by %.0f grey levels only", contrast)
	case lo[0]-hi[1] < 0.35*contrast:
		return "a square around it is not of one colour: something covers it, or it shines"
	}
	return ""
}

const (
	windowShare = 0.4  // radius of the larger window, as a share of the distance between corners
	smallShare  = 0.55 // radius of the smaller window, as a share of the larger one's
	agreement   = 0.35 // px: largest difference between the two results
)

// refineCorner moves a corner to the point that the gradients around it determine, with two window sizes, and returns
// the reason if it cannot, else an empty string.
func (g *grid) refineCorner(c cell, soft *picture) (vec, string) {
	u, v, ok := g.steps(c)
	if !ok {
		return vec{}, "it has no neighbours"
	}
	// The short dir between opposite edges decides, not the side of a slanted square.
	across := math.Abs(u.cross(v)) / max(u.norm(), v.norm())
	r := math.Max(2.6, math.Min(11, windowShare*across))
	at := g.at[c]
	x, y, ok := soft.refine(at.x, at.y, r, 0.3*across)
	if !ok {
		return vec{}, "its edges do not meet"
	}
	a, b, ok := soft.refine(x, y, max(2.3, smallShare*r), 1.5)
	if d := math.Hypot(a-x, b-y); !ok || d > agreement {
		return vec{}, fmt.Sprintf("its edges meet elsewhere nearer by, %.2f px away", d)
	}
	return vec{x, y}, ""
}

// deviations fits a homography and a polynomial for the lens's distortion to the corners and returns the distance of
// each corner, px, from the fit to the others.
func (g *grid) deviations() (off map[cell]float64, ok bool) {
	cells := g.cells()
	n := len(cells)
	var order int
	switch {
	case n >= 40:
		order = 4
	case n >= 24:
		order = 3
	case n >= 12:
		order = 2
	default:
		return nil, false
	}
	h, ok := g.homography(cells)
	if !ok {
		return nil, false
	}
	terms := (order + 1) * (order + 2) / 2
	a, b := mat.NewDense(n, terms, nil), mat.NewDense(n, 2, nil)
	si, sj, scale := spanOf(cells)
	for k, c := range cells {
		u, v := (float64(c.i)-si)/scale, (float64(c.j)-sj)/scale
		col := 0
		for p := range order + 1 {
			for q := range order + 1 - p {
				a.Set(k, col, math.Pow(u, float64(p))*math.Pow(v, float64(q)))
				col++
			}
		}
		w, at := h.apply(float64(c.i), float64(c.j)), g.at[c]
		b.Set(k, 0, at.x-w.x)
		b.Set(k, 1, at.y-w.y)
	}
	var qr mat.QR
	qr.Factorize(a)
	var x, fit mat.Dense
	if err := qr.SolveTo(&x, false, b); err != nil {
		return nil, false
	}
	fit.Mul(a, &x)
	var q mat.Dense
	qr.QTo(&q)
	off = make(map[cell]float64, n)
	for k, c := range cells {
		leverage := 0.0
		for t := range terms {
			leverage += q.At(k, t) * q.At(k, t)
		}
		off[c] = math.Hypot(b.At(k, 0)-fit.At(k, 0), b.At(k, 1)-fit.At(k, 1)) / math.Max(1-leverage, 0.05)
	}
	return off, true
}

// spanOf returns the centre of the range of cells and half its extent.
func spanOf(cells []cell) (i, j, half float64) {
	lo, hi := cells[0], cells[0]
	for _, c := range cells {
		lo, hi = cell{min(lo.i, c.i), min(lo.j, c.j)}, cell{max(hi.i, c.i), max(hi.j, c.j)}
	}
	return float64(lo.i+hi.i) / 2, float64(lo.j+hi.j) / 2, math.Max(float64(max(hi.i-lo.i, hi.j-lo.j))/2, 1)
}

// plane is a homography from a plane to a picture, row-major.
type plane [9]float64

func (h *plane) apply(x, y float64) vec {
	w := h[6]*x + h[7]*y + h[8]
	return vec{(h[0]*x + h[1]*y + h[2]) / w, (h[3]*x + h[4]*y + h[5]) / w}
}

// homography returns the homography from the grid to the picture, by the direct linear transform.
func (g *grid) homography(cells []cell) (plane, bool) {
	n := len(cells)
	if n < 4 {
		return plane{}, false
	}
	si, sj, s := spanOf(cells)
	w := float64(max(g.p.W, g.p.H)) / 2
	a := mat.NewDense(2*n, 9, nil)
	for k, c := range cells {
		x, y := (float64(c.i)-si)/s, (float64(c.j)-sj)/s
		u, v := g.at[c].x/w-1, g.at[c].y/w-1
		a.SetRow(2*k, []float64{x, y, 1, 0, 0, 0, -u * x, -u * y, -u})
		a.SetRow(2*k+1, []float64{0, 0, 0, x, y, 1, -v * x, -v * y, -v})
	}
	var ata mat.SymDense
	ata.SymOuterK(1, a.T())
	var eig mat.EigenSym
	if !eig.Factorize(&ata, true) {
		return plane{}, false
	}
	var vs mat.Dense
	eig.VectorsTo(&vs)
	var q plane
	for k := range q {
		q[k] = vs.At(k, 0)
	}
	// Undo the scaling: first the picture's (u+1)·w, then the grid's.
	for k := range 3 {
		q[k], q[3+k] = (q[k]+q[6+k])*w, (q[3+k]+q[6+k])*w
	}
	for r := range 3 {
		q[3*r+2] -= q[3*r]*si/s + q[3*r+1]*sj/s
		q[3*r], q[3*r+1] = q[3*r]/s, q[3*r+1]/s
	}
	return q, true
}
