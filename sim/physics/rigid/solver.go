// SPDX-License-Identifier: Apache-2.0

package rigid

import (
	"cmp"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// Fixed is what does not move.
type Fixed interface {
	// Around appends the numbers of the shapes that may be within reach (m) of p, in ascending order.
	Around(p geom.Vec, reach float64, dst []int32) []int32
	// Ref returns shape i, to be read until it changes.
	Ref(i int32) *geom.Shape
}

const (
	// iterations bounds how often the impulses are computed in a step; it ends when none changes a velocity by more
	// than exact, m/s.
	iterations = 100
	exact      = 1e-6
	// skin is the gap that contacts are kept at, m: bodies that turn cut the corner by less in a step.
	skin = 5e-5
	// opening is the share of what is missing of it that a step makes good, no faster than openingSpeed, m/s.
	opening      = 0.2
	openingSpeed = 0.01
	// margin is how far beyond the displacement of a step contacts are looked for, m.
	margin = 1e-3
)

// Solver moves bodies. It keeps its memory from step to step and nothing else. It is not safe for concurrent use.
type Solver struct {
	contacts []contact
	found    []geom.Contact
	order    []start // of the bodies from west to east
	pairs    [][2]int32
	firsts   []int32 // of each body's neighbours, and the end
	others   []int32
	fixed    []int32 // numbers of fixed shapes near the bodies …
	fixedEnd []int32 // … and where those of each body end
	floor    []grip
	tasks    []task
}

// start is where a body begins in the west, m.
type start struct {
	west float64
	body int32
}

func compareStarts(a, b start) int {
	return cmp.Or(cmp.Compare(a.west, b.west), cmp.Compare(a.body, b.body))
}

func comparePairs(a, b [2]int32) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
}

// contact is a place of contact in a step.
type contact struct {
	a, b            int32 // bodies; a is −1: fixed
	normal          geom.Vec
	ra, rb          geom.Vec // from the middles
	massN, massT    float64
	bound           float64 // the least speed apart, m/s
	friction        float64
	normalI, alongI float64 // impulses, N s
}

// grip is the impulse of the floor.
type grip struct {
	impulse geom.Vec
	turn    float64
	most    float64 // N s
}

// Step advances the bodies, which must not overlap anything, by dt seconds.
func (s *Solver) Step(bodies []*Body, fixed Fixed, dt float64) {
	for _, b := range bodies {
		b.weigh()
	}
	reach := s.meet(bodies, fixed, dt)
	s.touch(bodies, fixed, reach, dt)
	s.grip(bodies, dt)
	for range iterations {
		change := 0.0
		for i := range s.contacts {
			change = max(change, s.contacts[i].solve(bodies))
		}
		for i, b := range bodies {
			change = max(change, s.floor[i].solve(b))
		}
		if change < exact {
			break
		}
	}
	for _, b := range bodies {
		b.settle()
	}
	s.move(bodies, fixed, reach, dt)
}

// speed bounds how fast a point of the body may be in this step, m/s.
func (b *Body) speed() float64 {
	return b.Velocity.Norm() + b.Drive.Norm() + math.Abs(float64(b.Spin*b.Shape.Reach()))
}

// meet finds the pairs that may touch in the step, and returns how far contacts are looked for.
func (s *Solver) meet(bodies []*Body, fixed Fixed, dt float64) (reach float64) {
	for _, b := range bodies {
		reach = max(reach, b.speed())
	}
	reach = float64(2*reach*dt) + margin
	s.order = s.order[:0]
	for i, b := range bodies {
		s.order = append(s.order, start{b.Shape.Center().X - b.reach, int32(i)})
	}
	slices.SortFunc(s.order, compareStarts)
	s.pairs = s.pairs[:0]
	for n, i := range s.order {
		a := bodies[i.body]
		east := a.Shape.Center().X + a.reach + reach
		for _, j := range s.order[n+1:] {
			if j.west > east {
				break
			}
			if a.near(bodies[j.body], reach) {
				s.pairs = append(s.pairs, [2]int32{min(i.body, j.body), max(i.body, j.body)})
			}
		}
	}
	slices.SortFunc(s.pairs, comparePairs)
	s.adjoin(len(bodies))
	s.fixed, s.fixedEnd = s.fixed[:0], s.fixedEnd[:0]
	for _, b := range bodies {
		s.fixed = fixed.Around(b.Shape.Center(), b.reach+reach, s.fixed)
		s.fixedEnd = append(s.fixedEnd, int32(len(s.fixed)))
	}
	return reach
}

// near reports whether two bodies may be within reach (m) of each other.
func (b *Body) near(o *Body, reach float64) bool {
	if len(b.Parts) == 0 {
		return b.Shape.Near(o.Shape.Center(), o.reach+reach)
	}
	way, far := o.Shape.Center().Sub(b.Shape.Center()), b.reach+o.reach+reach
	return way.Dot(way) <= float64(far*far)
}

// adjoin makes the list of each body's neighbours of the pairs.
func (s *Solver) adjoin(n int) {
	s.firsts = slices.Grow(s.firsts[:0], n+1)[:n+1]
	clear(s.firsts)
	for _, p := range s.pairs {
		s.firsts[p[0]+1]++
		s.firsts[p[1]+1]++
	}
	for i := range n {
		s.firsts[i+1] += s.firsts[i]
	}
	s.others = slices.Grow(s.others[:0], 2*len(s.pairs))[:2*len(s.pairs)]
	for i := len(s.pairs) - 1; i >= 0; i-- { // from the back: each end becomes a beginning
		for k := range 2 {
			end := &s.firsts[s.pairs[i][k]+1]
			*end--
			s.others[*end] = s.pairs[i][1-k]
		}
	}
	copy(s.firsts, s.firsts[1:])
	s.firsts[n] = int32(len(s.others))
}

// neighbours returns the bodies that may touch body i.
func (s *Solver) neighbours(i int) []int32 { return s.others[s.firsts[i]:s.firsts[i+1]] }

// obstacles returns the fixed shapes that may touch body i.
func (s *Solver) obstacles(i int) []int32 {
	first := int32(0)
	if i > 0 {
		first = s.fixedEnd[i-1]
	}
	return s.fixed[first:s.fixedEnd[i]]
}

// touch finds the contacts of the step.
func (s *Solver) touch(bodies []*Body, fixed Fixed, reach, dt float64) {
	s.contacts = s.contacts[:0]
	for i, b := range bodies {
		for _, f := range s.obstacles(i) {
			for part := range 1 + len(b.Parts) {
				s.found = fixed.Ref(f).Contacts(b.shape(part), reach, s.found[:0])
				for k := range s.found {
					s.add(bodies, -1, int32(i), &s.found[k], dt)
				}
			}
		}
	}
	for _, p := range s.pairs {
		a, b := bodies[p[0]], bodies[p[1]]
		for first := range 1 + len(a.Parts) {
			for second := range 1 + len(b.Parts) {
				s.found = a.shape(first).Contacts(b.shape(second), reach, s.found[:0])
				for k := range s.found {
					s.add(bodies, p[0], p[1], &s.found[k], dt)
				}
			}
		}
	}
}

// add prepares a contact.
func (s *Solver) add(bodies []*Body, a, b int32, at *geom.Contact, dt float64) {
	second := bodies[b]
	c := contact{a: a, b: b, normal: at.Normal, rb: at.At.Sub(second.Shape.Center()), friction: second.Surface}
	n, t := c.normal, left(c.normal)
	massN := second.inverseMass + float64(second.inverseInertia*square(cross(c.rb, n)))
	massT := second.inverseMass + float64(second.inverseInertia*square(cross(c.rb, t)))
	made := second.Made
	if a >= 0 {
		first := bodies[a]
		c.ra = at.At.Sub(first.Shape.Center())
		massN += first.inverseMass + float64(first.inverseInertia*square(cross(c.ra, n)))
		massT += first.inverseMass + float64(first.inverseInertia*square(cross(c.ra, t)))
		c.friction = math.Sqrt(float64(first.Surface * second.Surface))
		made = made.Sub(first.Made)
	}
	c.massN, c.massT = 1/massN, 1/massT
	gap := at.Gap - skin
	c.bound = -gap / dt
	if gap < 0 {
		c.bound = min(openingSpeed, float64(-gap*opening)/dt)
	}
	c.bound += made.Dot(n) / dt
	s.contacts = append(s.contacts, c)
}

// solve computes the impulses of a contact anew and returns by how much that changes a velocity, m/s.
func (c *contact) solve(bodies []*Body) (change float64) {
	b := bodies[c.b]
	v := b.at(c.rb)
	var a *Body
	if c.a >= 0 {
		a = bodies[c.a]
		v = v.Sub(a.at(c.ra))
	}
	n, t := c.normal, left(c.normal)
	along := c.alongI - float64(c.massT*v.Dot(t))
	limit := float64(c.friction * c.normalI)
	along = max(-limit, min(limit, along))
	push := max(0, c.normalI-float64(c.massN*(v.Dot(n)-c.bound)))
	impulse := n.Scale(push - c.normalI).Add(t.Scale(along - c.alongI))
	c.normalI, c.alongI = push, along
	b.strike(c.rb, impulse)
	if a != nil {
		a.strike(c.ra, impulse.Scale(-1))
	}
	return (math.Abs(impulse.X) + math.Abs(impulse.Y)) / c.massN
}

// at returns the velocity of the body's point at r from its middle, m/s.
func (b *Body) at(r geom.Vec) geom.Vec { return b.Velocity.Add(left(r).Scale(b.Spin)) }

// strike changes the velocities by an impulse at r from the middle, N s.
func (b *Body) strike(r, impulse geom.Vec) {
	b.Velocity = b.Velocity.Add(impulse.Scale(b.inverseMass))
	b.Spin += float64(b.inverseInertia * cross(r, impulse))
}

// grip prepares the friction with the floor.
func (s *Solver) grip(bodies []*Body, dt float64) {
	s.floor = s.floor[:0]
	for _, b := range bodies {
		s.floor = append(s.floor, grip{most: float64(float64(b.Floor*b.Mass) * float64(gravity*dt))})
	}
}

// solve applies the friction of the floor, which pulls the body to the velocity of its wheels, or to a stop, within the
// ellipsoid of force and torque, and returns by how much that changes a velocity, m/s.
func (g *grip) solve(b *Body) (change float64) {
	if g.most == 0 {
		return 0
	}
	impulse, turn := g.impulse.Add(b.Drive.Sub(b.Velocity).Scale(b.Mass)), g.turn
	if b.inverseInertia > 0 {
		turn -= b.Spin / b.inverseInertia
	}
	part := impulse.Dot(impulse)/float64(g.most*g.most) + square(turn/float64(g.most*b.lever))
	if part > 1 {
		share := 1 / math.Sqrt(part)
		impulse, turn = impulse.Scale(share), float64(turn*share)
	}
	dv, spin := impulse.Sub(g.impulse).Scale(b.inverseMass), float64(b.inverseInertia*(turn-g.turn))
	b.Velocity = b.Velocity.Add(dv)
	b.Spin += spin
	g.impulse, g.turn = impulse, turn
	return math.Abs(dv.X) + math.Abs(dv.Y) + math.Abs(float64(spin*b.lever))
}

func square(v float64) float64 { return float64(v * v) }

// left is a vector a quarter of a turn on.
func left(v geom.Vec) geom.Vec { return geom.Vec{X: -v.Y, Y: v.X} }

// cross is the third part of the vector product.
func cross(a, b geom.Vec) float64 { return float64(a.X*b.Y) - float64(a.Y*b.X) }
