// SPDX-License-Identifier: Apache-2.0

package plant

import (
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
)

// grip is what a robot's gripper holds.
type grip struct {
	held  string    // the movable thing; empty: none
	grasp geom.Pose // of that in the robot's frame
	free  geom.Pose // where the robot was when the held thing was last free to move with it
	shut  bool      // the gripper was closed in the latest cycle
}

// holder returns the robot whose gripper holds a movable thing, nil: none.
func (x *World) holder(name string) *Unit {
	i := slices.IndexFunc(x.gripping, func(u *Unit) bool { return u.grip.held == name })
	if i < 0 {
		return nil
	}
	return x.gripping[i]
}

// release opens the gripper that holds a movable thing, if one does; restore closes it on the thing again.
func (x *World) release(name string) (restore func()) {
	u := x.holder(name)
	if u == nil {
		return func() {}
	}
	u.grip.held = ""
	return func() { u.grip.held = name }
}

// lostGrip is how far a thing is moved out of a gripper at the most, m, before it is lost.
const lostGrip = 0.01

// moveGrip ends a cycle for the robot's gripper: closing, it takes hold of the nearest movable thing in its reach, which
// then moves with the robot until it opens. A robot whose thing would hit something does not move.
func (u *Unit) moveGrip(cycle int64) {
	at, reach, closed := u.plant.Gripper()
	closed = closed && !u.inAir
	begins := closed && !u.grip.shut
	u.grip.shut = closed
	switch {
	case !closed:
		u.grip.held = ""
	case u.grip.held != "":
		u.carry(cycle)
	case begins:
		u.grasp(at, reach)
	}
}

// grasp takes hold of the nearest movable thing within reach (m) of a place.
func (u *Unit) grasp(at geom.Vec, reach float64) {
	x := u.world
	name, p, ok := x.Scene.NearestMovable(at, reach, func(name string) bool { return x.holder(name) == nil })
	if !ok {
		return
	}
	own := u.plant.Pose()
	in := p.Position().Sub(own.Position()).Unrotate(geom.Direction(own.Theta))
	u.grip.held, u.grip.free = name, own
	u.grip.grasp = geom.Pose{X: in.X, Y: in.Y, Theta: geom.WrapAngle(p.Theta - own.Theta)}
}

// carry moves the thing that the robot holds with it.
func (u *Unit) carry(cycle int64) {
	g, own, s := &u.grip, u.plant.Pose(), &u.world.Scene
	to := own.Transform(g.grasp.Position())
	held := s.MovableShape(g.held)
	if held == nil {
		g.held = ""
		return
	}
	shape := held.Moved(to, geom.WrapAngle(own.Theta+g.grasp.Theta))
	if _, hit, _ := u.Environment().Push(&shape); hit {
		if was := g.free.Transform(g.grasp.Position()).Sub(held.Center()); was.Norm() > lostGrip {
			g.held = ""
			return
		}
		u.plant.Return(g.free)
		u.Sample(cycle)
		return
	}
	g.free = own
	if shape != *held {
		s.CarryMovable(g.held, geom.Pose{X: to.X, Y: to.Y, Theta: own.Theta + g.grasp.Theta}, cycle)
	}
}
