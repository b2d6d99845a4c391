// SPDX-License-Identifier: Apache-2.0

package chess

import (
	"math"
	"slices"
)

// vec is a position or a displacement in the picture, px.
type vec struct{ x, y float64 }

func (a vec) add(b vec) vec       { return vec{a.x + b.x, a.y + b.y} }
func (a vec) sub(b vec) vec       { return vec{a.x - b.x, a.y - b.y} }
func (a vec) scale(s float64) vec { return vec{a.x * s, a.y * s} }
func (a vec) norm() float64       { return math.Hypot(a.x, a.y) }
func (a vec) cross(b vec) float64 { return a.x*b.y - a.y*b.x }
func (a vec) dot(b vec) float64   { return a.x*b.x + a.y*b.y }
func mean(vs ...vec) (sum vec)    { return total(vs).scale(1 / float64(len(vs))) }
func total(vs []vec) (sum vec) {
	for _, v := range vs {
		sum = sum.add(v)
	}
	return sum
}
func (a vec) angle(b vec) float64 { return math.Abs(math.Atan2(a.cross(b), a.dot(b))) }

// cell is the column and the row of a corner in the grid, relative to the seed corner.
type cell struct{ i, j int }

func (c cell) next(d cell) cell { return cell{c.i + d.i, c.j + d.j} }

// directions are the offsets to the four neighbours: right, down, left, up.
var directions = [4]cell{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// grid is the part of a board that has been found.
type grid struct {
	p    *picture
	at   map[cell]vec
	sign float64 // of the contrast along the edge from corner (0, 0) to the right: 1 if it is bright above
}

// candidateIndex finds candidates near a position.
type candidateIndex struct {
	all  []candidate
	size float64
	bins map[[2]int][]int
}

func newCandidateIndex(all []candidate) *candidateIndex {
	f := &candidateIndex{all: all, size: 16, bins: map[[2]int][]int{}}
	for i, c := range all {
		k := f.bin(c.x, c.y)
		f.bins[k] = append(f.bins[k], i)
	}
	return f
}

func (f *candidateIndex) bin(x, y float64) [2]int { return [2]int{int(x / f.size), int(y / f.size)} }

// near returns the candidates within a distance (px) of a position, nearest first.
func (f *candidateIndex) near(at vec, radius float64) []vec {
	var out []vec
	lo, hi := f.bin(at.x-radius, at.y-radius), f.bin(at.x+radius, at.y+radius)
	for bx := lo[0]; bx <= hi[0]; bx++ {
		for by := lo[1]; by <= hi[1]; by++ {
			for _, i := range f.bins[[2]int{bx, by}] {
				if v := (vec{f.all[i].x, f.all[i].y}); v.sub(at).norm() <= radius {
					out = append(out, v)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b vec) int {
		switch da, db := a.sub(at).norm(), b.sub(at).norm(); {
		case da < db:
			return -1
		case da > db:
			return 1
		}
		return 0
	})
	return out
}

const minContrast = 12 // grey levels between black and white

// edge returns the contrast along the line from a to b, in grey levels: positive if it is bright on the left in the
// picture (y down). It is 0 if one of the two sides is not of one colour along the line.
func (p *picture) edge(a, b vec) float64 {
	d := b.sub(a)
	side := vec{d.y, -d.x}.scale(0.12)
	lo, hi, sum := math.Inf(1), math.Inf(-1), 0.0
	const n = 6
	for k := range n {
		m := a.add(d.scale(0.2 + 0.6*float64(k)/(n-1)))
		left, ok := p.at(m.x+side.x, m.y+side.y)
		right, ok2 := p.at(m.x-side.x, m.y-side.y)
		if !ok || !ok2 {
			return 0
		}
		c := left - right
		lo, hi, sum = min(lo, c), max(hi, c), sum+c
	}
	if c := sum / n; math.Abs(c) >= minContrast && lo*hi > 0 && min(math.Abs(lo), math.Abs(hi)) > 0.3*math.Abs(c) {
		return c
	}
	return 0
}

// newGrid returns a grid of a seed corner with neighbours in at least two directions; nil if there are none.
func newGrid(p *picture, f *candidateIndex, seed vec) *grid {
	type neighbour struct {
		dir vec
		c   float64
	}
	var ns []neighbour
	for _, v := range f.near(seed, 0.25*float64(max(p.W, p.H))) {
		if len(ns) == 4 {
			break
		}
		d := v.sub(seed)
		if d.norm() < 4 {
			continue
		}
		if slices.ContainsFunc(ns, func(n neighbour) bool { return n.dir.angle(d) < 0.4 }) {
			continue // behind one that is nearer
		}
		if c := p.edge(seed, v); c != 0 {
			ns = append(ns, neighbour{d, c})
		}
	}
	for _, u := range ns {
		for _, v := range ns {
			// The edge to the right and the one down have their bright sides on opposite sides.
			if u.dir.cross(v.dir) > 0.3*u.dir.norm()*v.dir.norm() && u.c*v.c < 0 && u.dir.norm() < 3*v.dir.norm() && v.dir.norm() < 3*u.dir.norm() {
				g := &grid{p: p, at: map[cell]vec{{0, 0}: seed, {1, 0}: seed.add(u.dir), {0, 1}: seed.add(v.dir)}, sign: 1}
				if u.c < 0 {
					g.sign = -1
				}
				return g
			}
		}
	}
	return nil
}

// predict returns the expected position of the neighbour of a corner, and the distance between corners there, px.
func (g *grid) predict(c, dir cell) (at vec, step float64, ok bool) {
	p := g.at[c]
	var steps []vec
	if back, known := g.at[cell{c.i - dir.i, c.j - dir.j}]; known {
		s := p.sub(back)
		if more, known := g.at[cell{c.i - 2*dir.i, c.j - 2*dir.j}]; known {
			s = s.add(s.sub(back.sub(more)).scale(0.9)) // squares grow or shrink by perspective
		}
		steps = append(steps, s)
	}
	for _, turn := range [2]cell{{dir.j, dir.i}, {-dir.j, -dir.i}} {
		next := c.next(turn)
		q, known := g.at[next]
		r, known2 := g.at[next.next(dir)]
		if known && known2 {
			steps = append(steps, r.sub(q))
		}
	}
	if len(steps) == 0 {
		return at, 0, false
	}
	s := mean(steps...)
	return p.add(s), s.norm(), true
}

// grow adds corners until no more are found, or the grid has limit corners.
func (g *grid) grow(f *candidateIndex, limit int) {
	for changed := true; changed && len(g.at) < limit; {
		changed = false
		for _, c := range g.cells() {
			for k, dir := range directions {
				to := c.next(dir)
				if _, known := g.at[to]; known {
					continue
				}
				at, step, ok := g.predict(c, dir)
				if !ok || step < 4 {
					continue
				}
				if v, ok := g.find(f, c, k, at, step); ok {
					g.at[to], changed = v, true
				}
			}
		}
	}
}

// cells returns the cells of the grid by rows.
func (g *grid) cells() []cell {
	out := make([]cell, 0, len(g.at))
	for c := range g.at {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b cell) int {
		if a.j != b.j {
			return a.j - b.j
		}
		return a.i - b.i
	})
	return out
}

// find returns the corner near a predicted position: a candidate, or else the point that the gradients determine.
func (g *grid) find(f *candidateIndex, from cell, k int, at vec, step float64) (vec, bool) {
	want := g.sign * float64(1-2*((from.i+from.j+k)&1))
	good := func(v vec) bool { return g.p.edge(g.at[from], v)*want > 0 }
	for _, v := range f.near(at, 0.3*step) {
		if good(v) {
			return v, true
		}
	}
	if x, y, ok := g.p.refine(at.x, at.y, max(3, 0.35*step), 0.25*step); ok && good(vec{x, y}) {
		return vec{x, y}, true
	}
	return vec{}, false
}
