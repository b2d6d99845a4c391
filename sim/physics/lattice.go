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

// lattice is a grid over the shapes of a scene: each cell lists those that reach into it. Movable shapes have a grid of
// their own. What is in neither is looked at one by one: shapes without bounds (enclosures), the loose ones, and few
// ones. It changes only while the scene does, so reading it is safe for concurrent use.
type lattice struct {
	origin        geom.Vec
	cell          float64
	columns, rows int
	lists         [][]int32
	single        []int32 // shapes that are in no cell, in ascending order
	movables      movableGrid
}

// newLattice lays the grids over the shapes: one over the first fixed of them, without those that move. Where the
// movable ones were when bodies noticed last is in anchors; moves and anchors may be shorter than shapes.
func newLattice(shapes []geom.Shape, fixed int, moves []bool, anchors []geom.Vec) lattice {
	l := lattice{}
	movable, still := 0, 0
	for _, m := range moves {
		if m {
			movable++
		}
	}
	low, high := geom.Vec{X: math.Inf(1), Y: math.Inf(1)}, geom.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	single := func(i int) bool { return shapes[i].Kind() == geom.Enclosure || i >= fixed }
	for i := range shapes {
		s := &shapes[i]
		if i < len(moves) && moves[i] || single(i) {
			continue
		}
		still++
		c, r := s.Center(), s.Reach()
		low.X, low.Y = min(low.X, c.X-r), min(low.Y, c.Y-r)
		high.X, high.Y = max(high.X, c.X+r), max(high.Y, c.Y+r)
	}
	if still > fewShapes {
		size := high.Sub(low)
		l.origin = low
		l.cell = max(latticeCell, math.Sqrt(float64(size.X*size.Y)/latticeCells), max(size.X, size.Y)/latticeCells)
		l.columns, l.rows = int(size.X/l.cell)+1, int(size.Y/l.cell)+1
		l.lists = make([][]int32, l.columns*l.rows)
	}
	if movable > fewShapes {
		l.movables = newMovableGrid(movable)
	}
	for i := range shapes {
		switch moves := i < len(moves) && moves[i]; {
		case moves && movable > fewShapes && shapes[i].Reach() <= movableCell:
			l.movables.enter(int32(i), anchors[i], shapes[i].Reach())
		case moves || single(i) || still <= fewShapes:
			l.single = append(l.single, int32(i))
		default:
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
	for _, i := range l.single {
		if shapes[i].Near(p, reach) {
			dst = append(dst, i)
		}
	}
	if l.flat() {
		return dst
	}
	dst = l.movables.around(shapes, p, reach, dst)
	if l.lists != nil {
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
	}
	slices.Sort(dst[first:])
	return dst[:first+len(slices.Compact(dst[first:]))]
}

// flat reports whether all shapes are looked at one by one.
func (l *lattice) flat() bool { return l.lists == nil && l.movables.empty() }

// atHeight returns the point at y = h of the straight line from one point to one that is not lower, or the nearest end.
func atHeight(from, to geom.Vec, h float64) geom.Vec {
	way := to.Sub(from)
	if way.Y <= 0 {
		return from
	}
	return from.Add(way.Scale(max(0, min(1, (h-from.Y)/way.Y))))
}

// any reports whether f says so of a shape on the straight line between two points; f may be asked twice about one.
func (l *lattice) any(from, to geom.Vec, f func(i int32) bool) bool {
	if slices.ContainsFunc(l.single, f) || l.movables.any(from, to, f) {
		return true
	}
	if l.lists == nil {
		return false
	}
	if from.Y > to.Y {
		from, to = to, from
	}
	_, y0 := l.at(from)
	_, y1 := l.at(to)
	for y := y0; y <= y1; y++ {
		a, b := from, to // what of the line is in this row
		bottom := l.origin.Y + float64(float64(y)*l.cell)
		if y > y0 {
			a = atHeight(from, to, bottom-latticeSeam)
		}
		if y < y1 {
			b = atHeight(from, to, bottom+l.cell+latticeSeam)
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
