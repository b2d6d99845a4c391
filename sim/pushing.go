// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
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
	parts  []geom.Shape // of articulated ones
	reach  float64      // how far apart two bodies are at the most that may touch in this cycle, m
	loads  []int32      // movables that take part
	units  []int32      // robots that do
	marked []bool       // movables that do
	joined []bool       // robots that do
	near   []int32      // scratch
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
	if s.sliding() || slices.ContainsFunc(s.units, func(u *unit) bool { return u.lost() != geom.Vec{} }) {
		s.gatherPushing()
	}
	if len(p.loads) > 0 {
		s.solvePushing()
	}
	next := 0
	for i, u := range s.units {
		if next < len(p.units) && p.units[next] == int32(i) {
			next++
			if b := p.bodies[len(p.loads)+next-1]; b.Shape.Center() != u.middle() || u.lost() != (geom.Vec{}) {
				u.yield(b.Shape.Center(), b.Velocity)
				u.sample(cycle)
				u.strayed(u.position())
				continue
			}
		}
		u.endCycle()
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
	p.reach = meeting
	for _, a := range s.articulated {
		p.reach = max(p.reach, float64(fasterMeeting*a.maxWay))
	}
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
		if u.lost() != (geom.Vec{}) {
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
		s.joinNear(u.position(), u.radius, u.lost() != geom.Vec{})
		unit++
	}
	slices.Sort(p.loads)
	slices.Sort(p.units)
}

// joinNear adds the movables near a disc to those that take part, and with robots true the robots.
func (s *Simulation) joinNear(at geom.Vec, reach float64, robots bool) {
	p := &s.pushing
	p.near = s.scene.Around(at, reach+p.reach, p.near[:0])
	for _, n := range p.near {
		if s.scene.Movable(n) {
			load, _ := findMovable(s.movables, int(n))
			s.joinLoad(int32(load))
		}
	}
	if !robots {
		return
	}
	p.near = s.crowd.Around(at, reach+physics.BodyRadius+p.reach, p.near[:0])
	for _, n := range p.near { // the crowd's answer depends on when it was sorted
		u := s.units[n]
		limit := reach + (u.radius + p.reach)
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
	if p := &s.pushing; !p.joined[n] && !s.units[n].inAir && s.units[n].mass() > 0 {
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
		made := u.wayMade()
		drive := made.Add(u.lost()).Scale(1 / cycleSeconds)
		p.robots[k] = rigid.Body{
			Mass: u.mass(), Floor: physics.Traction, Surface: s.scene.Friction(),
			Wheels: true, Drive: drive, Made: made, Velocity: u.momentum(drive),
		}
		if u.body != nil {
			p.robots[k].Shape = geom.NewDisc(u.body.Position(), physics.BodyRadius, physics.BodyHeight)
		} else {
			solids := s.solids[u.machine.first:u.machine.last]
			first := len(p.parts)
			p.parts = append(p.parts, solids[1:]...)
			p.robots[k].Shape, p.robots[k].Parts = solids[0], p.parts[first:]
		}
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

// push is the state of an articulated robot that pushes, as [physics.Body] has it for an e-puck2.
type push struct {
	begun  geom.Vec // where the robot was when the cycle began
	behind geom.Vec // velocity of the latest cycle, m/s, if it was pushing
	pushes bool     // it was
}

// mass returns the mass of the robot, kg; 0: it does not move.
func (u *unit) mass() float64 {
	if u.body != nil {
		return physics.Mass
	}
	return u.machine.mechanism.Mass()
}

// lost returns the way that movable things have taken from the robot in this cycle, m.
func (u *unit) lost() geom.Vec {
	if u.body != nil {
		return u.body.Pushing()
	}
	return u.machine.mechanism.Lost()
}

// wayMade returns the way that the robot has gone since the cycle began, m.
func (u *unit) wayMade() geom.Vec {
	if u.body != nil {
		return u.body.Made()
	}
	return u.position().Sub(u.machine.push.begun)
}

// momentum returns the velocity with which the robot enters a cycle in which it meets movable things, m/s: see
// [physics.Body.Momentum].
func (u *unit) momentum(otherwise geom.Vec) geom.Vec {
	switch {
	case u.body != nil:
		return u.body.Momentum(otherwise)
	case u.machine.push.pushes:
		return u.machine.push.behind
	}
	return otherwise
}

// middle returns the center of the shape that the robot is moved by, m.
func (u *unit) middle() geom.Vec {
	if u.body != nil {
		return u.body.Position()
	}
	return u.sim.solids[u.machine.first].Center()
}

// yield ends a cycle in which the robot may have been pushing: its middle is at a place now, with a velocity, m/s.
func (u *unit) yield(at, velocity geom.Vec) {
	way := at.Sub(u.middle())
	if way.Dot(way) > float64(u.maxWay*u.maxWay) { // the islands hold only for robots that drive
		u.sim.scattered.Store(true)
	}
	if u.body != nil {
		u.body.Yield(at, velocity)
		return
	}
	a := u.machine
	a.mechanism.Yield(way)
	a.mechanism.Outline(u.sim.solids[:a.first:a.last])
	a.resting = false
	a.push = push{begun: u.position(), behind: velocity, pushes: true}
}

// endCycle ends a cycle in which the robot met no movable thing.
func (u *unit) endCycle() {
	if u.body != nil {
		u.body.EndCycle()
		return
	}
	u.machine.push = push{begun: u.position()}
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

// holder returns the robot whose gripper holds a movable thing, nil: none.
func holder(list []*Articulated, name string) *Articulated {
	i := slices.IndexFunc(list, func(a *Articulated) bool { return a.held == name })
	if i < 0 {
		return nil
	}
	return list[i]
}

// lostGrip is how far a thing is moved out of a gripper at the most, m, before it is lost.
const lostGrip = 0.01

// grip ends a cycle for the robot's gripper: closing, it takes hold of the nearest movable thing in its reach, which
// then moves with the robot until it opens. A robot whose thing would hit something does not move.
func (a *Articulated) grip(cycle int64) {
	at, reach, closed := a.mechanism.Gripper()
	closed = closed && !a.inAir
	begins := closed && !a.shut
	a.shut = closed
	switch {
	case !closed:
		a.held = ""
	case a.held != "":
		a.carry(movableNamed(a.sim.movables, a.held), cycle)
	case begins:
		a.grasped(at, reach)
	}
}

// grasped takes hold of the nearest movable thing within reach (m) of a place.
func (a *Articulated) grasped(at geom.Vec, reach float64) {
	s, least := a.sim, math.Inf(1)
	var nearest *movable
	for _, m := range s.movables {
		o := &m.body.Shape
		far := o.Center().Sub(at).Norm()
		if far < least && o.Within(at, reach) && holder(s.articulated, m.name) == nil {
			least, nearest = far, m
		}
	}
	if m := nearest; m != nil {
		a.held = m.name
		own, p := a.mechanism.Pose(), m.body.Pose()
		in := p.Position().Sub(own.Position()).Unrotate(geom.Direction(own.Theta))
		a.grasp = geom.Pose{X: in.X, Y: in.Y, Theta: geom.WrapAngle(p.Theta - own.Theta)}
		a.free = own
	}
}

// carry moves the thing that the robot holds with it.
func (a *Articulated) carry(m *movable, cycle int64) {
	s, own := a.sim, a.mechanism.Pose()
	to := own.Transform(a.grasp.Position())
	shape := m.body.Shape.Moved(to, geom.WrapAngle(own.Theta+a.grasp.Theta))
	if _, hit, _ := a.env.Push(&shape); hit {
		if was := a.free.Transform(a.grasp.Position()).Sub(m.body.Shape.Center()); was.Norm() > lostGrip {
			a.held = ""
			return
		}
		a.mechanism.Place(a.free)
		a.mechanism.Outline(s.solids[:a.first:a.last])
		a.push = push{begun: a.free.Position()}
		a.unit.sample(cycle)
		return
	}
	a.free = own
	if shape == m.body.Shape {
		return
	}
	m.body.Place(geom.Pose{X: to.X, Y: to.Y, Theta: own.Theta + a.grasp.Theta})
	s.scene.PlaceMovable(m.shape, &m.body.Shape)
	m.trace.pose(cycle, m.body.Pose())
}
