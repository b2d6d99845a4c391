// SPDX-License-Identifier: Apache-2.0

package physics

import (
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

// Shove puts movable shape i somewhere else.
func (s *Scene) Shove(i int, shape *geom.Shape) {
	s.shapes[i] = *shape
	if way := shape.Center().Sub(s.anchors[i]); way.Dot(way) > movableSlack*movableSlack {
		s.anchors[i] = shape.Center()
		s.version++
	}
}

// push is what a body has to do with movable shapes in an infrared cycle.
type push struct {
	begun  geom.Vec // where the body was when the cycle began
	lost   geom.Vec // the way that movable shapes have taken from it since
	given  float64  // share of it that it got back in the latest cycle
	behind geom.Vec // velocity of the latest cycle, m/s, if it was pushing
	pushes bool     // it was
}

// Pushing returns the way that movable shapes have taken from the body since the cycle began, m.
func (b *Body) Pushing() geom.Vec { return b.push.lost }

// Made returns the way that the body has gone since the cycle began, m.
func (b *Body) Made() geom.Vec { return b.position.Sub(b.push.begun) }

// Momentum returns the velocity with which the body comes into a cycle in which it meets movable shapes, m/s: that of
// the latest cycle if it did then, else the given one.
func (b *Body) Momentum(otherwise geom.Vec) geom.Vec {
	if b.push.pushes {
		return b.push.behind
	}
	return otherwise
}

// Yield ends a cycle in which the body may have been pushing: movable shapes left it space to be at a place, with a
// velocity, m/s.
func (b *Body) Yield(at, velocity geom.Vec) {
	lost := b.push.lost
	given := 0.0
	if square := lost.Dot(lost); square > 0 {
		given = max(0, min(1, at.Sub(b.position).Dot(lost)/square))
	}
	b.position = at
	b.push = push{begun: at, given: given, behind: velocity, pushes: true}
}

// EndCycle ends a cycle in which the body met no movable shape.
func (b *Body) EndCycle() { b.push = push{begun: b.position} }

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
	s.lattice = newLattice(s.shapes, s.fixed, s.moves)
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
