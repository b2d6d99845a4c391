// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

const (
	// latticeCell is the least side of a cell of the shapes' grid, m; latticeCells the most cells there are.
	latticeCell  = 0.25
	latticeCells = 4096
	// fewShapes are looked at one by one: quicker than any grid.
	fewShapes = 12
)

// lattice is a grid over the shapes of a scene: each cell lists those that reach into it. Shapes without bounds
// (enclosures) are listed separately, and so are the loose ones, which move. It does not change once it is built, so
// reading it is safe for concurrent use.
type lattice struct {
	origin        geom.Vec
	cell          float64
	columns, rows int
	lists         [][]int32
	enclosures    []int32 // and the loose ones
}

// newLattice lays the grid over the first fixed shapes, without those that move; moves may be shorter than shapes.
func newLattice(shapes []geom.Shape, fixed int, moves []bool) lattice {
	l := lattice{}
	low, high := geom.Vec{X: math.Inf(1), Y: math.Inf(1)}, geom.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	for i := range shapes {
		s := &shapes[i]
		if s.Kind() == geom.Enclosure || i >= fixed || i < len(moves) && moves[i] {
			l.enclosures = append(l.enclosures, int32(i))
			continue
		}
		c, r := s.Center(), s.Reach()
		low.X, low.Y = min(low.X, c.X-r), min(low.Y, c.Y-r)
		high.X, high.Y = max(high.X, c.X+r), max(high.Y, c.Y+r)
	}
	if fixed <= fewShapes || low.X > high.X {
		return l
	}
	size := high.Sub(low)
	l.origin = low
	l.cell = max(latticeCell, math.Sqrt(float64(size.X*size.Y)/latticeCells), max(size.X, size.Y)/latticeCells)
	l.columns, l.rows = int(size.X/l.cell)+1, int(size.Y/l.cell)+1
	l.lists = make([][]int32, l.columns*l.rows)
	for i := range fixed {
		if i >= len(moves) || !moves[i] {
			l.enter(shapes, i)
		}
	}
	return l
}

// enter puts shape i into the cells that it reaches into.
func (l *lattice) enter(shapes []geom.Shape, i int) {
	s := &shapes[i]
	if s.Kind() == geom.Enclosure {
		return
	}
	half := float64(l.cell * 0.7072) // of the circle around a cell
	r := geom.Vec{X: s.Reach(), Y: s.Reach()}
	x0, y0 := l.at(s.Center().Sub(r))
	x1, y1 := l.at(s.Center().Add(r))
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			middle := l.origin.Add(geom.Vec{X: float64((float64(x) + 0.5) * l.cell), Y: float64((float64(y) + 0.5) * l.cell)})
			if _, in := s.Push(middle, half); in {
				k := y*l.columns + x
				l.lists[k] = append(l.lists[k], int32(i))
			}
		}
	}
}

// at returns the cell of a place, the nearest one for a place outside.
func (l *lattice) at(p geom.Vec) (x, y int) {
	q := p.Sub(l.origin)
	limit := func(v float64, n int) int { return int(max(0, min(float64(n-1), math.Floor(v/l.cell)))) }
	return limit(q.X, l.columns), limit(q.Y, l.rows)
}

// around appends the numbers of the shapes that may be within reach of p, in ascending order.
func (l *lattice) around(shapes []geom.Shape, p geom.Vec, reach float64, dst []int32) []int32 {
	first := len(dst)
	if l.lists == nil {
		for i := range shapes {
			if shapes[i].Near(p, reach) {
				dst = append(dst, int32(i))
			}
		}
		return dst
	}
	r := geom.Vec{X: reach, Y: reach}
	x0, y0 := l.at(p.Sub(r))
	x1, y1 := l.at(p.Add(r))
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			for _, i := range l.lists[y*l.columns+x] {
				if shapes[i].Near(p, reach) {
					dst = append(dst, i)
				}
			}
		}
	}
	for _, i := range l.enclosures {
		if shapes[i].Near(p, reach) {
			dst = append(dst, i)
		}
	}
	slices.Sort(dst[first:])
	return dst[:first+len(slices.Compact(dst[first:]))]
}

// any reports whether f says so of a shape on the straight line between two points; f may be asked twice about one.
func (l *lattice) any(shapes []geom.Shape, from, to geom.Vec, f func(i int32) bool) bool {
	if l.lists == nil {
		for i := range shapes {
			if f(int32(i)) {
				return true
			}
		}
		return false
	}
	if slices.ContainsFunc(l.enclosures, f) {
		return true
	}
	if from.Y > to.Y {
		from, to = to, from
	}
	way := to.Sub(from)
	_, y0 := l.at(from)
	_, y1 := l.at(to)
	for y := y0; y <= y1; y++ {
		a, b := from, to // what of the line is in this row
		if way.Y > 0 {
			bottom := l.origin.Y + float64(float64(y)*l.cell)
			cut := func(h float64) geom.Vec {
				return from.Add(way.Scale(max(0, min(1, (h-from.Y)/way.Y))))
			}
			if y > y0 {
				a = cut(bottom - latticeSeam)
			}
			if y < y1 {
				b = cut(bottom + l.cell + latticeSeam)
			}
		}
		x0, _ := l.at(geom.Vec{X: min(a.X, b.X) - latticeSeam})
		x1, _ := l.at(geom.Vec{X: max(a.X, b.X) + latticeSeam})
		for x := x0; x <= x1; x++ {
			if slices.ContainsFunc(l.lists[y*l.columns+x], f) {
				return true
			}
		}
	}
	return false
}

// latticeSeam makes neighbouring cells overlap, so that rounding leaves no gap between them, m.
const latticeSeam = 1e-6
