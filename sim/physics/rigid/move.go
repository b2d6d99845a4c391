// SPDX-License-Identifier: Apache-2.0

package rigid

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

const (
	// passes bounds how often the bodies are moved further: one that blocks another must move first.
	passes = 6
	// halvings is how often the way is halved that a body may go.
	halvings = 4
	// overlap is what counts as rounding, m.
	overlap = 1e-9
)

// task is what a body has to go in this step.
type task struct {
	way  geom.Vec
	turn float64
	left float64 // share of it
}

// move moves the bodies by their displacements as far as there is space, and no farther than contacts were searched.
func (s *Solver) move(bodies []*Body, fixed Fixed, reach, dt float64) {
	s.tasks = s.tasks[:0]
	for _, b := range bodies {
		t := task{left: 1}
		t.way, t.turn = b.step(dt)
		length := t.way.Norm() + math.Abs(float64(t.turn*b.Shape.Reach()))
		if limit := reach / 2; length > limit {
			t.way, t.turn = t.way.Scale(limit/length), float64(t.turn*limit)/length
		}
		if t.way == (geom.Vec{}) && t.turn == 0 {
			t.left = 0
		}
		s.tasks = append(s.tasks, t)
	}
	for pass, moved := 0, true; moved && pass < passes; pass++ {
		moved = false
		for i := range bodies {
			if s.tasks[i].left > 0 && s.advance(bodies, fixed, i) {
				moved = true
			}
		}
	}
	for i, b := range bodies {
		if t := s.tasks[i]; t.left > 0 { // what it has not made it was not fast
			b.Velocity = b.Velocity.Sub(t.way.Scale(t.left / dt))
			b.Spin -= float64(t.turn*t.left) / dt
			b.settle()
		}
		b.Made = geom.Vec{}
	}
}

// advance moves body i as far on its way as there is space, in pieces shorter than what it could jump over, and
// reports whether it has moved.
func (s *Solver) advance(bodies []*Body, fixed Fixed, i int) (moved bool) {
	b, t := bodies[i], &s.tasks[i]
	length := float64((t.way.Norm() + math.Abs(float64(t.turn*b.Shape.Reach()))) * t.left)
	pieces := math.Ceil(length / b.inner())
	piece := t.left / max(1, pieces)
	for range int(max(1, pieces)) {
		share := piece
		for k := 0; !s.try(bodies, fixed, i, share); k++ {
			if k == halvings {
				return moved
			}
			share = float64(share / 2)
		}
		if moved = true; share < piece {
			return true
		}
	}
	t.left = 0
	return true
}

// try moves body i by a share of its way if there is space.
func (s *Solver) try(bodies []*Body, fixed Fixed, i int, share float64) bool {
	b, t := bodies[i], &s.tasks[i]
	to := b.moved(t.way, t.turn, share)
	if s.blocked(bodies, fixed, i, &to) {
		return false
	}
	way := to.Center().Sub(b.Shape.Center())
	for k := range b.Parts { // they do not turn
		part := b.Parts[k]
		part.MoveTo(part.Center().Add(way))
		if s.blocked(bodies, fixed, i, &part) {
			return false
		}
	}
	b.Shape = to
	for k := range b.Parts {
		b.Parts[k].MoveTo(b.Parts[k].Center().Add(way))
	}
	if t.turn != 0 {
		b.Yaw = geom.WrapAngle(b.Yaw + float64(t.turn*share))
	}
	t.left = max(0, t.left-share)
	return true
}

// blocked reports whether a shape of body i overlaps something.
func (s *Solver) blocked(bodies []*Body, fixed Fixed, i int, to *geom.Shape) bool {
	for _, f := range s.obstacles(i) {
		if overlaps(fixed.Ref(f), to) {
			return true
		}
	}
	for _, j := range s.neighbours(i) {
		other := bodies[j]
		for k := range 1 + len(other.Parts) {
			if overlaps(other.shape(k), to) {
				return true
			}
		}
	}
	return false
}

// overlaps reports whether two shapes overlap by more than rounding.
func overlaps(a, b *geom.Shape) bool {
	v, hit := a.Apart(b)
	return hit && v.Dot(v) > overlap*overlap
}
