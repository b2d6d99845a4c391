// SPDX-License-Identifier: Apache-2.0

package chess

import (
	"math"
	"slices"
)

// vec is a place or a way in the picture, pixels.
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

// cell is a place in the grid, columns and rows from the corner it began with.
type cell struct{ i, j int }

func (c cell) next(d cell) cell { return cell{c.i + d.i, c.j + d.j} }

// The ways to the four neighbours: right and down and back.
var ways = [4]cell{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// grid is a board as far as it was found.
type grid struct {
	p    *picture
	at   map[cell]vec
	sign float64 // of the contrast along the edge to the right of corner (0, 0): 1 is bright above it
}

// field finds candidates near a place.
type field struct {
	all  []candidate
	size float64
	bins map[[2]int][]int
}

func newField(all []candidate) *field {
	f := &field{all: all, size: 16, bins: map[[2]int][]int{}}
	for i, c := range all {
		k := f.bin(c.x, c.y)
		f.bins[k] = append(f.bins[k], i)
	}
	return f
}

func (f *field) bin(x, y float64) [2]int { return [2]int{int(x / f.size), int(y / f.size)} }

// near gives the candidates within a distance, nearest first.
func (f *field) near(at vec, radius float64) []vec {
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

const leastContrast = 12 // grey steps between black and white

// edge gives the contrast along the way from a to b: bright on its left as seen in the picture (y down) is positive. It
// is 0 if the two sides are not each of one colour all along.
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
	if c := sum / n; math.Abs(c) >= leastContrast && lo*hi > 0 && min(math.Abs(lo), math.Abs(hi)) > 0.3*math.Abs(c) {
		return c
	}
	return 0
}

// begin makes a grid of a corner with a neighbour in each of at least two ways; nil if there are none.
func begin(p *picture, f *field, seed vec) *grid {
	type neighbour struct {
		way vec
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
		if slices.ContainsFunc(ns, func(n neighbour) bool { return n.way.angle(d) < 0.4 }) {
			continue // behind one that is nearer
		}
		if c := p.edge(seed, v); c != 0 {
			ns = append(ns, neighbour{d, c})
		}
	}
	for _, u := range ns {
		for _, v := range ns {
			// The edge to the right and the one down have their bright sides on opposite sides.
			if u.way.cross(v.way) > 0.3*u.way.norm()*v.way.norm() && u.c*v.c < 0 && u.way.norm() < 3*v.way.norm() && v.way.norm() < 3*u.way.norm() {
				g := &grid{p: p, at: map[cell]vec{{0, 0}: seed, {1, 0}: seed.add(u.way), {0, 1}: seed.add(v.way)}, sign: 1}
				if u.c < 0 {
					g.sign = -1
				}
				return g
			}
		}
	}
	return nil
}

// predict gives where the neighbour of a corner should be, and how far apart corners are there.
func (g *grid) predict(c, way cell) (at vec, step float64, ok bool) {
	p := g.at[c]
	var steps []vec
	if back, known := g.at[cell{c.i - way.i, c.j - way.j}]; known {
		s := p.sub(back)
		if more, known := g.at[cell{c.i - 2*way.i, c.j - 2*way.j}]; known {
			s = s.add(s.sub(back.sub(more)).scale(0.9)) // squares grow or shrink by perspective
		}
		steps = append(steps, s)
	}
	for _, turn := range [2]cell{{way.j, way.i}, {-way.j, -way.i}} {
		next := c.next(turn)
		q, known := g.at[next]
		r, known2 := g.at[next.next(way)]
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

// grow adds corners until there are none any more, or limit.
func (g *grid) grow(f *field, limit int) {
	for changed := true; changed && len(g.at) < limit; {
		changed = false
		for _, c := range g.cells() {
			for k, way := range ways {
				to := c.next(way)
				if _, known := g.at[to]; known {
					continue
				}
				at, step, ok := g.predict(c, way)
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

// cells are those of the grid, in order.
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

// find looks for the corner predicted at a place: a candidate, or whatever the gradients point to.
func (g *grid) find(f *field, from cell, k int, at vec, step float64) (vec, bool) {
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
