// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
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
	units  []int32       // robots that do
	marked []bool        // movables that do
	joined []bool        // robots that do
	near   []int32       // scratch
	disc   [1]geom.Shape // scratch
}

// meeting is how far apart two bodies are at the most that may touch in an infrared cycle, m, where only e-puck2 robots
// push. Of others that is fasterMeeting times the greatest way of one in a cycle: the solver looks for contacts within
// twice the sum of the velocities that a body has and is driven at.
const (
	meeting       = 0.015
	fasterMeeting = 8
)

// sliding reports whether a movable thing moves.
func (s *Simulation) sliding() bool {
	return slices.ContainsFunc(s.movables, func(m *movable) bool { return !m.body.Resting() })
}

// push ends an infrared cycle for movable things and those that push them: it moves the things that moved before or
// that a robot has driven against, and what these touch.
func (s *Simulation) push(cycle int64) {
	if len(s.movables) == 0 {
		return
	}
	p := &s.pushing
	p.loads, p.units = p.loads[:0], p.units[:0]
	if s.sliding() || slices.ContainsFunc(s.units, func(u *unit) bool { return u.plant.lost() != geom.Vec{} }) {
		s.gatherPushing()
	}
	if len(p.loads) > 0 {
		s.solvePushing()
	}
	next := 0
	for i, u := range s.units {
		if next < len(p.units) && p.units[next] == int32(i) {
			next++
			if b := p.bodies[len(p.loads)+next-1]; b.Shape.Center() != s.middle(u) || u.plant.lost() != (geom.Vec{}) {
				s.giveWay(u, b.Shape.Center(), b.Velocity)
				u.sample(cycle)
				u.strayed(u.position())
				continue
			}
		}
		u.plant.endPush()
	}
	for _, i := range p.loads {
		m := s.movables[i]
		s.scene.PlaceMovable(m.shape, &m.body.Shape)
		m.trace.pose(cycle, m.body.Pose())
	}
}

// gatherPushing finds the movables and the robots that may touch each other in this cycle, beginning with things that
// move and robots that push.
func (s *Simulation) gatherPushing() {
	p := &s.pushing
	s.muster()
	p.marked = slices.Grow(p.marked[:0], len(s.movables))[:len(s.movables)]
	p.joined = slices.Grow(p.joined[:0], len(s.units))[:len(s.units)]
	clear(p.marked)
	clear(p.joined)
	for i, m := range s.movables {
		if !m.body.Resting() {
			s.joinLoad(int32(i))
		}
	}
	for i, u := range s.units {
		if u.plant.lost() != (geom.Vec{}) {
			s.joinUnit(int32(i))
		}
	}
	for load, unit := 0, 0; load < len(p.loads) || unit < len(p.units); {
		if load < len(p.loads) {
			o := &s.movables[p.loads[load]].body.Shape
			s.joinNear(o.Center(), o.Reach(), true)
			load++
			continue
		}
		u := s.units[p.units[unit]]
		s.joinNear(u.position(), u.radius, u.plant.lost() != geom.Vec{})
		unit++
	}
	slices.Sort(p.loads)
	slices.Sort(p.units)
}

// joinNear adds the movables near a disc to those that take part, and with robots true the robots.
func (s *Simulation) joinNear(at geom.Vec, reach float64, robots bool) {
	p := &s.pushing
	p.near = s.scene.Around(at, reach+s.meeting, p.near[:0])
	for _, n := range p.near {
		if s.scene.Movable(n) {
			load, _ := findMovable(s.movables, int(n))
			s.joinLoad(int32(load))
		}
	}
	if !robots {
		return
	}
	p.near = s.crowd.Around(at, reach+physics.BodyRadius+s.meeting, p.near[:0])
	for _, n := range p.near { // the crowd's answer depends on when it was sorted
		u := s.units[n]
		limit := reach + (u.radius + s.meeting)
		if way := u.position().Sub(at); way.Dot(way) <= float64(limit*limit) {
			s.joinUnit(n)
		}
	}
}

func (s *Simulation) joinLoad(n int32) {
	if p := &s.pushing; !p.marked[n] {
		p.marked[n] = true
		p.loads = append(p.loads, n)
	}
}

func (s *Simulation) joinUnit(n int32) {
	if p := &s.pushing; !p.joined[n] && !s.units[n].inAir && s.units[n].plant.mass() > 0 {
		p.joined[n] = true
		p.units = append(p.units, n)
	}
}

// solvePushing moves those that take part.
func (s *Simulation) solvePushing() {
	p := &s.pushing
	p.bodies, p.robots, p.parts = p.bodies[:0], slices.Grow(p.robots[:0], len(p.units))[:len(p.units)], p.parts[:0]
	for _, i := range p.loads {
		p.bodies = append(p.bodies, &s.movables[i].body)
	}
	for k, i := range p.units {
		u := s.units[i]
		made := u.plant.wayMade()
		drive := made.Add(u.plant.lost()).Scale(1 / cycleSeconds)
		p.robots[k] = rigid.Body{
			Mass: u.plant.mass(), Floor: physics.Traction, Surface: s.scene.Friction(),
			Wheels: true, Drive: drive, Made: made, Velocity: u.plant.momentum(drive),
		}
		solids, first := u.plant.solids(&p.disc), len(p.parts)
		p.parts = append(p.parts, solids[1:]...)
		p.robots[k].Shape, p.robots[k].Parts = solids[0], p.parts[first:]
		p.bodies = append(p.bodies, &p.robots[k])
	}
	p.solver.Step(p.bodies, still{s}, cycleSeconds)
}

// still is what does not move when robots push: things that are not movable, persons, and articulated robots without
// wheels or too far away to take part, whose solids come after the shapes.
type still struct{ s *Simulation }

// Around implements rigid.Fixed.
func (x still) Around(at geom.Vec, reach float64, dst []int32) []int32 {
	first := len(dst)
	dst = x.s.scene.Around(at, reach, dst)
	dst = append(dst[:first], slices.DeleteFunc(dst[first:], x.s.scene.Movable)...)
	shapes := int32(x.s.scene.Shapes())
	for _, a := range x.s.articulated {
		if a.inAir || x.s.pushing.joined[a.place] {
			continue
		}
		for i := a.first; i < a.last; i++ {
			if x.s.solids[i].Near(at, reach) {
				dst = append(dst, shapes+int32(i))
			}
		}
	}
	return dst
}

// Ref implements rigid.Fixed.
func (x still) Ref(i int32) *geom.Shape {
	if shapes := int32(x.s.scene.Shapes()); i >= shapes {
		return &x.s.solids[i-shapes]
	}
	return x.s.scene.Ref(i)
}

// middle returns the center of the shape that the robot is moved by, m.
func (s *Simulation) middle(u *unit) geom.Vec { return u.plant.solids(&s.pushing.disc)[0].Center() }

// giveWay ends a cycle in which the robot may have been pushing: its middle is at a place now, with a velocity, m/s.
func (s *Simulation) giveWay(u *unit, at, velocity geom.Vec) {
	way := at.Sub(s.middle(u))
	if way.Dot(way) > float64(u.maxWay*u.maxWay) { // the islands hold only for robots that drive
		s.scattered.Store(true)
	}
	u.plant.giveWay(at, velocity)
}

// movableNamed returns the movable thing of a name, nil: there is none.
func movableNamed(list []*movable, name string) *movable {
	if name == "" {
		return nil
	}
	i := slices.IndexFunc(list, func(m *movable) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	return list[i]
}
