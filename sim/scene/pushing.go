// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/kernel"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
	"github.com/epuck-ros2/epuck-driver/sim/physics/rigid"
)

// pushing is what is computed for those that push and are pushed.
type pushing struct {
	solver rigid.Solver
	bodies []*rigid.Body // movables, then robots
	robots []rigid.Body
	parts  []geom.Shape  // of articulated ones
	loads  []int32       // movables that take part
	units  []int32       // numbers of the robots that do
	marked []bool        // movables that do
	joined []bool        // robots that do
	near   []int32       // scratch
	disc   [1]geom.Shape // scratch
}

// sliding reports whether a movable thing moves.
func (s *Scene) sliding() bool {
	return slices.ContainsFunc(s.movables, func(m *movable) bool { return !m.body.Resting() })
}

// Push ends an infrared cycle for movable things and those that push them: it moves the things that moved before or
// that a robot has driven against, and what these touch.
func (s *Scene) Push(cycle int64) {
	if len(s.movables) == 0 {
		return
	}
	p := &s.pushing
	p.loads, p.units = p.loads[:0], p.units[:0]
	if s.sliding() || s.pushed() {
		s.gatherPushing()
	}
	if len(p.loads) > 0 {
		s.solvePushing()
	}
	next := 0
	for i, r := range s.robots.All() {
		if next < len(p.units) && p.units[next] == int32(i) {
			next++
			if b := p.bodies[len(p.loads)+next-1]; b.Shape.Center() != r.Solids(&p.disc)[0].Center() || r.Lost() != (geom.Vec{}) {
				r.GiveWay(cycle, b.Shape.Center(), b.Velocity)
				continue
			}
		}
		r.EndPush()
	}
	for _, i := range p.loads {
		m := s.movables[i]
		s.physics.PlaceMovable(m.shape, &m.body.Shape)
		m.trace.Pose(cycle, m.body.Pose())
	}
}

// gatherPushing finds the movables and the robots that may touch each other in this cycle, beginning with things that
// move and robots that push.
func (s *Scene) gatherPushing() {
	p, robots := &s.pushing, s.robots.All()
	p.marked = slices.Grow(p.marked[:0], len(s.movables))[:len(s.movables)]
	p.joined = slices.Grow(p.joined[:0], len(robots))[:len(robots)]
	clear(p.marked)
	clear(p.joined)
	for i, m := range s.movables {
		if !m.body.Resting() {
			s.joinLoad(int32(i))
		}
	}
	for i, r := range robots {
		if r.Lost() != (geom.Vec{}) {
			s.joinRobot(int32(i))
		}
	}
	for load, unit := 0, 0; load < len(p.loads) || unit < len(p.units); {
		if load < len(p.loads) {
			o := &s.movables[p.loads[load]].body.Shape
			s.joinNear(o.Center(), o.Reach(), true)
			load++
			continue
		}
		r := s.robots.All()[p.units[unit]]
		s.joinNear(r.Position(), r.Radius(), r.Lost() != geom.Vec{})
		unit++
	}
	slices.Sort(p.loads)
	slices.Sort(p.units)
}

// joinNear adds the movables near a disc to those that take part, and with robots true the robots.
func (s *Scene) joinNear(at geom.Vec, reach float64, robots bool) {
	p := &s.pushing
	contactReach := s.robots.ContactReach()
	p.near = s.physics.Around(at, reach+contactReach, p.near[:0])
	for _, n := range p.near {
		if s.physics.Movable(n) {
			load, _ := findMovable(s.movables, int(n))
			s.joinLoad(int32(load))
		}
	}
	if !robots {
		return
	}
	p.near = s.robots.Around(at, reach+physics.BodyRadius+contactReach, p.near[:0])
	for _, n := range p.near { // the crowd's answer depends on when it was sorted
		r := s.robots.All()[n]
		limit := reach + (r.Radius() + contactReach)
		if way := r.Position().Sub(at); way.Dot(way) <= float64(limit*limit) {
			s.joinRobot(n)
		}
	}
}

func (s *Scene) joinLoad(n int32) {
	if p := &s.pushing; !p.marked[n] {
		p.marked[n] = true
		p.loads = append(p.loads, n)
	}
}

func (s *Scene) joinRobot(n int32) {
	if p, r := &s.pushing, s.robots.All()[n]; !p.joined[n] && !r.InAir() && r.Mass() > 0 {
		p.joined[n] = true
		p.units = append(p.units, n)
	}
}

// solvePushing moves those that take part.
func (s *Scene) solvePushing() {
	p := &s.pushing
	p.bodies, p.robots, p.parts = p.bodies[:0], slices.Grow(p.robots[:0], len(p.units))[:len(p.units)], p.parts[:0]
	for _, i := range p.loads {
		p.bodies = append(p.bodies, &s.movables[i].body)
	}
	for k, i := range p.units {
		r := s.robots.All()[i]
		made := r.WayMade()
		drive := made.Add(r.Lost()).Scale(1 / kernel.CycleSeconds)
		p.robots[k] = rigid.Body{
			Mass: r.Mass(), Floor: physics.Traction, Surface: s.physics.Friction(),
			Wheels: true, Drive: drive, Made: made, Velocity: r.Momentum(drive),
		}
		solids, first := r.Solids(&p.disc), len(p.parts)
		p.parts = append(p.parts, solids[1:]...)
		p.robots[k].Shape, p.robots[k].Parts = solids[0], p.parts[first:]
		p.bodies = append(p.bodies, &p.robots[k])
	}
	p.solver.Step(p.bodies, still{s}, kernel.CycleSeconds)
}

// pushed reports whether a movable thing has taken some of a robot's way.
func (s *Scene) pushed() bool {
	for _, r := range s.robots.All() {
		if r.Lost() != (geom.Vec{}) {
			return true
		}
	}
	return false
}

// still is what does not move when robots push: things that are not movable, persons, and robots without wheels or too
// far away to take part, as far as the scene has their solids, which come after the shapes.
type still struct{ s *Scene }

// Around implements rigid.Fixed.
func (x still) Around(at geom.Vec, reach float64, dst []int32) []int32 {
	first := len(dst)
	dst = x.s.physics.Around(at, reach, dst)
	dst = append(dst[:first], slices.DeleteFunc(dst[first:], x.s.physics.Movable)...)
	shapes := int32(x.s.physics.Shapes())
	for _, o := range x.s.robots.Shaped() {
		if x.s.pushing.joined[o.Robot] || x.s.robots.All()[o.Robot].InAir() {
			continue
		}
		for k := o.First; k < o.Past; k++ {
			if x.s.physics.Solid(k).Near(at, reach) {
				dst = append(dst, shapes+int32(k))
			}
		}
	}
	return dst
}

// Ref implements rigid.Fixed.
func (x still) Ref(i int32) *geom.Shape {
	if shapes := int32(x.s.physics.Shapes()); i >= shapes {
		return x.s.physics.Solid(int(i - shapes))
	}
	return x.s.physics.Ref(i)
}
