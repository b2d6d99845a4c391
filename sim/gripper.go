// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

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
		a.sample(cycle)
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
