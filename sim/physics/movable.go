// SPDX-License-Identifier: Apache-2.0

package physics

import (
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/robot"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// The e-puck2 as a body that pushes.
const (
	// Mass is that of the robot, kg.
	Mass = robot.Mass
	// Traction is the coefficient of friction of its tyres on the floor. No measurement is known; that of rubber on a
	// table, less what its two sliding contacts carry. The robot pushes with Mass·Traction·Gravity, 0.76 N, at the
	// most; the torque of its motors is not known.
	Traction = 0.6
)

// movableSlack is how far a movable shape moves before bodies look anew for what is near them, m.
const movableSlack = 0.025

// SetMovable says that shape i moves: robots that drive against it push it.
func (s *Scene) SetMovable(i int) {
	if s.moves == nil {
		s.moves, s.anchors = make([]bool, len(s.shapes)), make([]geom.Vec, len(s.shapes))
	}
	s.moves[i], s.anchors[i] = true, s.shapes[i].Center()
	s.rebuild()
}

// Movable reports whether shape i moves.
func (s *Scene) Movable(i int32) bool { return s.moves != nil && s.moves[i] }

// PlaceMovable puts movable shape i somewhere else.
func (s *Scene) PlaceMovable(i int, shape *geom.Shape) {
	s.shapes[i] = *shape
	if way := shape.Center().Sub(s.anchors[i]); way.Dot(way) > movableSlack*movableSlack {
		s.lattice.movables.move(int32(i), s.anchors[i], shape.Center())
		s.anchors[i] = shape.Center()
		s.version++
	}
}

// Pusher is what a body of any kind remembers from one infrared cycle to the next to push movable shapes.
type Pusher struct {
	begun  geom.Vec // where the body was when the cycle began
	behind geom.Vec // velocity of the latest cycle, m/s, if it was pushing
	pushes bool     // it was
}

// End ends a cycle in which the body, which is at a place, met no movable shape.
func (p *Pusher) End(at geom.Vec) { *p = Pusher{begun: at} }

// GiveWay ends a cycle in which the body may have been pushing: it is at a place now, with a velocity, m/s.
func (p *Pusher) GiveWay(at, velocity geom.Vec) {
	*p = Pusher{begun: at, behind: velocity, pushes: true}
}

// Made returns the way that the body, which is at a place, has gone since the cycle began, m.
func (p *Pusher) Made(at geom.Vec) geom.Vec { return at.Sub(p.begun) }

// Momentum returns the velocity with which the body enters a cycle in which it meets movable shapes, m/s: that of
// the latest cycle if it did then, else the given one.
func (p *Pusher) Momentum(otherwise geom.Vec) geom.Vec {
	if p.pushes {
		return p.behind
	}
	return otherwise
}

// push is what a body has to do with movable shapes in an infrared cycle.
type push struct {
	Pusher
	lost  geom.Vec // the way that movable shapes have taken from it since
	given float64  // share of it that it got back in the latest cycle
}

// Pushing returns the way that movable shapes have taken from the body since the cycle began, m.
func (b *Body) Pushing() geom.Vec { return b.push.lost }

// Made returns the way that the body has gone since the cycle began, m.
func (b *Body) Made() geom.Vec { return b.push.Made(b.position) }

// Momentum returns the velocity with which the body enters a cycle in which it meets movable shapes: see
// [Pusher.Momentum].
func (b *Body) Momentum(otherwise geom.Vec) geom.Vec { return b.push.Momentum(otherwise) }

// Yield ends a cycle in which the body may have been pushing: movable shapes left it space to be at a place, with a
// velocity, m/s.
func (b *Body) Yield(at, velocity geom.Vec) {
	lost := b.push.lost
	given := 0.0
	if square := lost.Dot(lost); square > 0 {
		given = max(0, min(1, at.Sub(b.position).Dot(lost)/square))
	}
	b.position = at
	b.push.GiveWay(at, velocity)
	b.push.lost, b.push.given = geom.Vec{}, given
}

// EndCycle ends a cycle in which the body met no movable shape.
func (b *Body) EndCycle() { b.push = push{Pusher: Pusher{begun: b.position}} }

// AddLoose puts one more shape behind all others and returns its number. Loose shapes are few and move often.
func (s *Scene) AddLoose(shape geom.Shape) int {
	s.InsertLoose(len(s.shapes), shape)
	return len(s.shapes) - 1
}

// InsertLoose inserts a loose shape at index i; the numbers from there on go up by one.
func (s *Scene) InsertLoose(i int, shape geom.Shape) {
	s.shapes = slices.Insert(s.shapes, i, shape)
	if s.moves != nil {
		s.moves, s.anchors = slices.Insert(s.moves, i, false), slices.Insert(s.anchors, i, geom.Vec{})
	}
	s.rebuild()
}

// CutLoose takes loose shape i away; the numbers of those behind it go down by one.
func (s *Scene) CutLoose(i int) {
	s.shapes = slices.Delete(s.shapes, i, i+1)
	if s.moves != nil {
		s.moves, s.anchors = slices.Delete(s.moves, i, i+1), slices.Delete(s.anchors, i, i+1)
	}
	s.rebuild()
}

// MoveLoose puts loose shape i somewhere else.
func (s *Scene) MoveLoose(i int, at geom.Vec) {
	s.shapes[i] = s.shapes[i].Moved(at, 0)
	s.version++
}

// rebuild builds the grid anew after a change.
func (s *Scene) rebuild() {
	s.lattice = newLattice(s.shapes, s.fixed, s.moves, s.anchors)
	s.version++
}

// Fits reports whether a disc of a radius (m) fits at p among the shapes, but for shape number without.
func (s *Scene) Fits(p geom.Vec, radius float64, without int) bool {
	for _, i := range s.lattice.around(s.shapes, p, radius, nil) {
		if v, hit := s.shapes[i].Push(p, radius); hit && int(i) != without && v.Norm() > touch {
			return false
		}
	}
	return true
}

// movableCell is the side of a cell of the grid of movable shapes and the greatest reach of one in it, m.
const movableCell = 0.25

// movableGrid finds the movable shapes near a place. Each is in the cell where its middle was when bodies noticed last
// that it moved, so it may be movableSlack away. The grid has no bounds: cells share buckets.
type movableGrid struct {
	buckets [][]inCell
	widest  float64 // the greatest reach of a shape, m
}

// inCell is a shape in its cell.
type inCell struct{ x, y, number int32 }

// newMovableGrid returns an empty grid for n shapes.
func newMovableGrid(n int) movableGrid {
	buckets := 16
	for buckets < 2*n {
		buckets *= 2
	}
	return movableGrid{buckets: make([][]inCell, buckets)}
}

func (g *movableGrid) empty() bool { return len(g.buckets) == 0 }

// cellAt returns the number of the column or the row of a coordinate, m; of one that is farther away than any number of
// a cell, that of the last cells.
func cellAt(v float64) int32 {
	const last = 1 << 30
	return int32(max(-last, min(last, math.Floor(v/movableCell))))
}

func (g *movableGrid) bucket(x, y int32) *[]inCell {
	h := uint32(x)*0x85ebca6b ^ uint32(y)*0x9e3779b1
	return &g.buckets[(h^h>>15)&uint32(len(g.buckets)-1)]
}

// enter puts a shape into the cell of its middle, m.
func (g *movableGrid) enter(number int32, middle geom.Vec, reach float64) {
	g.widest = max(g.widest, reach)
	x, y := cellAt(middle.X), cellAt(middle.Y)
	b := g.bucket(x, y)
	*b = append(*b, inCell{x, y, number})
}

// move puts a shape, if it is in the grid, into another cell.
func (g *movableGrid) move(number int32, from, to geom.Vec) {
	was, is := inCell{cellAt(from.X), cellAt(from.Y), number}, inCell{cellAt(to.X), cellAt(to.Y), number}
	if g.empty() || was == is {
		return
	}
	b := g.bucket(was.x, was.y)
	if k := slices.Index(*b, was); k >= 0 {
		*b = slices.Delete(*b, k, k+1)
		b = g.bucket(is.x, is.y)
		*b = append(*b, is)
	}
}

// around appends the numbers of the shapes that may be within reach (m) of p, in no order.
func (g *movableGrid) around(shapes []geom.Shape, p geom.Vec, reach float64, dst []int32) []int32 {
	if g.empty() {
		return dst
	}
	wide := reach + g.widest + movableSlack
	x0, x1, y0, y1 := cellAt(p.X-wide), cellAt(p.X+wide), cellAt(p.Y-wide), cellAt(p.Y+wide)
	add := func(list []inCell, all bool, x, y int32) {
		for _, c := range list {
			if (all || c.x == x && c.y == y) && shapes[c.number].Near(p, reach) {
				dst = append(dst, c.number)
			}
		}
	}
	if g.many(x0, x1, y0, y1) {
		for _, list := range g.buckets {
			add(list, true, 0, 0)
		}
		return dst
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			add(*g.bucket(x, y), false, x, y)
		}
	}
	return dst
}

// many reports whether there are more cells than buckets.
func (g *movableGrid) many(x0, x1, y0, y1 int32) bool {
	return (float64(x1)-float64(x0)+1)*(float64(y1)-float64(y0)+1) > float64(len(g.buckets))
}

// any reports whether f says so of a shape on the straight line between two points; f may be asked about others, too.
func (g *movableGrid) any(from, to geom.Vec, f func(i int32) bool) bool {
	if g.empty() {
		return false
	}
	if from.Y > to.Y {
		from, to = to, from
	}
	wide := g.widest + movableSlack + latticeSeam
	// More cells than buckets?
	if way := to.Sub(from); math.Abs(way.X)+way.Y > float64(float64(len(g.buckets))*movableCell) {
		for _, list := range g.buckets {
			if slices.ContainsFunc(list, func(c inCell) bool { return f(c.number) }) {
				return true
			}
		}
		return false
	}
	y0, y1 := cellAt(from.Y-wide), cellAt(to.Y+wide)
	for y := y0; y <= y1; y++ {
		bottom := float64(float64(y) * movableCell)
		a, b := atHeight(from, to, bottom-wide), atHeight(from, to, bottom+movableCell+wide)
		if from.Y == to.Y {
			b = to
		}
		for x, last := cellAt(min(a.X, b.X)-wide), cellAt(max(a.X, b.X)+wide); x <= last; x++ {
			for _, c := range *g.bucket(x, y) {
				if c.x == x && c.y == y && f(c.number) {
					return true
				}
			}
		}
	}
	return false
}
